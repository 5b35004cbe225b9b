        define num 5
        define reg b
        define text "abc"
        define two 1,2
        db num,num+1
        ld reg,num
        db text,'num',"num"
        db two
lbl_num nop
        dw lbl_5
        define chain num
        db chain
        define+ num 6
        db num,chain
        undefine num
num     equ 7
        db num
        define op ld a,
        op 5
        define empty
        db 1 empty
        define _x 9
        db _x
        define a_b 3
        db a_b

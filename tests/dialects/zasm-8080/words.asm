; every word of the 8080, in any case
        org 100h
start:  NOP
        lxi b,1234h
        LXI D,start
        lxi h,-1
        lxi sp,0FFFFh
        stax b
        stax d
        ldax b
        ldax d
        inx b
        inx sp
        dcx h
        dad b
        dad sp
        inr a
        inr m
        dcr c
        dcr m
        mvi a,5
        mvi m,'x'
        mvi b,-129+256
        mov a,m
        mov m,b
        mov c,d
        MOV H,L
        rlc
        rrc
        ral
        rar
        daa
        cma
        stc
        cmc
        hlt
        shld 1000h
        lhld 1000h
        sta start
        lda START
        add b
        add m
        adc a
        sub m
        sbb c
        ana d
        xra a
        ora m
        cmp e
        adi 1
        aci 2
        sui 3
        sbi 4
        ani 5
        xri 6
        ori 7
        cpi 8
        jmp start
        jnz start
        jz start
        jnc start
        jc start
        jpo start
        jpe start
        jp start
        jm start
        call start
        cnz start
        cz start
        cnc start
        cc start
        cpo start
        cpe start
        cp start
        cm start
        ret
        rnz
        rz
        rnc
        rc
        rpo
        rpe
        rp
        rm
        rst 0
        rst 7
        rst 8
        rst 56
        push b
        push psw
        pop h
        pop psw
        in 10h
        out 20h
        in (30h)
        xthl
        xchg
        pchl
        sphl
        di
        ei

; Rows of tic-tac-toe, and its player
; ===================================
;
; Cell 1 is square $00 of the board, cell 9 square $22. X moves first and is White.

        section noughts in flash
        budget noughts <= 118

; -------------------------------------------------------------------------- line
; Whether the side to move has three in a row: the cells of each row are masked with
; one another and with the side.
;   out  Z clear if it has
;   uses r0, t, u, XL, Z; 18 words; 20 to 160 clocks

line:   ldi zl,low(rows)
.next:  lpm
        mov xl,r0
        inc zl
        lpm
        inc zl
        ld t,X
        add xl,r0
        ld u,X
        and t,u
        add xl,r0
        ld u,X
        and t,u
        and t,side
        brne .ret
        cpi zl,low(rows_end)
        brne .next
.ret:   ret

; ------------------------------------------------------------------------- solve
; The best cell for the side to move, by trying all games to their end.
;   in   half = marks on the board
;   out  u: bits 7 and 6 = value: 1 won, 0 drawn, -1 lost; bits 0 to 5 = cell
;   uses r0, t, XL, Z, best; 41 words; up to 0.6 s

solve:  mov u,half
        subi u,9
        breq .full
        ldi best,$80
        clr xl
.cell:  ld t,X
        tst t
        brne .next
        st X,side
        push xl
        push best
        rcall line
        ldi u,$c0               ; the other side has lost
        brne .won
        inc half
        swap side
        rcall solve
        swap side
        dec half
        andi u,$c0
.won:   pop best
        pop xl
        clr t
        st X,t
        neg u
        or u,xl
        cp best,u
        brge .next
        mov best,u
        cpi best,$40
        brge .done
.next:  inc xl
        mov t,xl
        andi t,3
        cpi t,3
        brne .cell
        subi xl,-13             ; next row
        cpi xl,$30
        brne .cell
.done:  mov u,best
.full:  ret

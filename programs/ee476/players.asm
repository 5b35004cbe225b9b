; What the players do
; ===================

        section players in flash
        budget players <= 276

; All of this runs without a return address of its own: whoever has the move, it ends in
; place or play, and these in turn.

; ----------------------------------------------------------------------- machine
; Gets the move of the side to move: from the machine, if that plays it, else from human.
; A cell of tic-tac-toe is shown as its key.
;   in   side, options, size
;   18 words

machine: mov t,options
        sbrc side,7
        lsr t
        sbrs t,0
        rjmp human
        sbrc size,3
        rjmp think
        rcall solve
        mov xl,u
        andi xl,$3f
        mov u,xl
        subi u,-13
.row:   subi u,13               ; a row is 16 cells farther, and 3 keys
        cpi u,16
        brsh .row
        subi u,-'1'
        rcall tx
        rjmp place

; ------------------------------------------------------------------- cell, place
; A mark of tic-tac-toe: cell asks for its number, place sets it, on an empty square.
;   in   X = square for place, side, half
;   out  goes to turn, error or human
;   15 words

cell:   rcall key
        dec u
        brmi human
        mov xl,u
.row:   subi u,3
        brlo place
        subi xl,-13
        rjmp .row
place:  ld t,X
        tst t
        brne error
        st X,side
        inc half
pass:   swap side
        rjmp turn

; ----------------------------------------------------------------- square, coord
; square takes two keys to a square, coord one to a row or column.
;   out  X; u = 0 to 7; goes to human after 0, to error after 9
;   uses what key uses, XL; 12 words

square: rcall coord
        swap u
        mov xl,u
        rcall coord
        add xl,u
        ret
coord:  rcall key
        cpi u,9
        brsh error
        dec u
        brmi human
        ret

; ------------------------------------------------------------------------- think
; The machine's move in chess, which it shows as its keys. It looks a ply deeper as long
; as less than two seconds of its clock went by, it has minutes left for it and sees no
; mate.
;   out  goes to play with mfrom, mto and promo
;   uses what root uses; 32 words; 0.1 to 20 s, now and then more

think:  ldi t,QUEEN
        mov promo,t
        ldi t,-4
        mov floor,t
        clr top
        rcall hash              ; r0 = the men
        mov t,side
        swap t
        mov prey,t
        and t,r0
        brne .many
        sbrs r0,0               ; a rook, bishop or queen
.many:  clr prey
        ldi t,2
        mov quick,t
.deeper: inc top
        rcall root
        cpi u,WON
        brge .enough
        ldi zl,low(clocks)
        sbrc side,7
        ldi zl,low(clocks)+2
        ld t,Z
        cp top,t
        brsh .enough
        tst quick
        brne .deeper
.enough: mov zl,mfrom
        rcall show
        mov zl,mto
        rcall show
        rjmp play

; ----------------------------------------------------------------- error, human
; A player's move. What is wrong goes to the LEDs, which light up when the pin is an
; output; from there, and after 0, it begins again with an empty stack.
;   in   side, size
;   out  falls into play with mfrom, mto and promo, or goes to cell
;   29 words

illegal: sbi DDRB,1
        rjmp human
error:  sbi DDRB,0
human:  ldi t,low(RAMEND)
        out SPL,t
        sbrs size,3
        rjmp cell
        rcall square
        ld piece,X
        mov t,piece
        and t,side
        breq error
        mov mfrom,xl
        rcall square
        mov mto,xl
        sbrs piece,0
        sbrc piece,2
        rjmp play
        subi xl,-16             ; a pawn to row 0 or 7
        andi xl,$60
        brne play
        ldi zl,low(choice)
        rcall ask
        tst u
        breq human
        cpi u,ROOK
        brlo .queen
        cpi u,BISHOP+1
        brlo .piece
.queen: ldi u,QUEEN
.piece: mov promo,u

; -------------------------------------------------------------------------- play
; Makes the move from mfrom to mto, if it is one.
;   out  half, ep; goes to turn, illegal or won
;   uses what enum uses; 29 words

play:   rcall enum
        cpi yl,low(log)
        breq illegal
        mov ep,newep
        inc half
        lds t,log+1             ; what was taken
        andi t,7
        cpi t,KING
        brne .alive
        rjmp won
.alive: tst t
        brne .zero
        mov t,piece
        andi t,5
        brne .keep
.zero:  clr half
; With the king's first move the rooks lose what they cannot use any more: otherwise
; positions would differ that are the same.
.keep:  andi piece,7+UNMOVED
        cpi piece,KING+UNMOVED
        brne .pass
        mov xl,mfrom
        andi xl,$70
        rcall moved
        ori xl,7
        rcall moved
.pass:  rjmp pass

moved:  ld t,X
        andi t,$ff-UNMOVED
        st X,t
        ret

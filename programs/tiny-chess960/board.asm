; Set-up, making moves, castling
; ==============================

        section board_moves in flash

; ---------------------------------------------------------------------- promotes
; Does a pawn come to the last rank?
;   in   t = what moves, XL = where it goes
;   out  Z set if so
;   uses t, u
;   7 words

promotes: andi t,7
        cpi t,PAWN
        brne .ret
        mov u,xl                ; rank 0 or 7?
        subi u,-16
        andi u,$60
.ret:   ret

; -------------------------------------------------------------------------- make
; Makes a move and logs it: first the square where the piece goes, then that where it
; came from, then the pawn that is taken in passing. Castling that is not allowed goes
; from here to where search takes moves back.
;   in   piece, from, X, step, ep, side, promo; r0 = value of what is taken
;   out  mark = end of the log before; newep; r0 more for a promotion
;   uses t, u, XL, ZL
;   41 words

make:   mov mark,yl
        ldi t,NOWHERE
        mov newep,t
        ld t,X
        and t,side
        brne castle
        mov t,piece
        rcall promotes
        brne .other
        mov t,promo
        or t,side
        ldi u,14
        add r0,u
        rjmp .move
.other: mov t,piece
        andi t,$ff-UNMOVED
.move:  rcall put
        mov u,xl
        mov xl,from
        clr t
        rcall put
        mov xl,u
        sub u,from
        mov zl,piece
        andi zl,7
        cpi zl,PAWN
        brne put.ret
        sbrc step,0
        rjmp .slant
        sbrc half,2             ; a pawn should move when four half-moves went by without
        inc r0
        cp u,step
        breq put.ret
        mov newep,xl
        sub newep,step          ; second step: the square between
        ret
.slant: cpse xl,ep
        ret
        ldi u,16                ; taken in passing: the other pawn is on rank 3 where
        eor xl,u                ; this one goes to rank 2, and on 4 where to 5
        rjmp put

; ------------------------------------------------------------------------ castle
; Castling: takes king and rook off the board, looks whether the king's way is clear and
; not attacked, and puts them where they go. The squares between the two are known to be
; empty, so of the rook's way only its end is to be seen.
;   in   X = rook's square, from, side, step = 1 or -1; as make
;   out  as make, r0 = 1
;   uses r0, t, u, XL, ZL
;   38 words

castle: clr t
        rcall put
        mov xl,from
        rcall put
.king:  ld t,X
        tst t
        brne .no
        ldi t,KING
        rcall own
        rcall check
        subi yl,2               ; off again
        st X,zh
        cpi u,TAKEN
        breq .no
        mov zl,from
        andi zl,$70
        subi zl,-6
        sbrc step,7
        subi zl,4
        cp xl,zl
        breq .there
        brlo .up
        subi xl,2
.up:    inc xl
        rjmp .king
.there: ldi t,KING
        rcall own
        sub xl,step
        ld t,X
        tst t
        brne .no
        clr r0
        inc r0                  ; half a pawn for a safe king
        ldi t,ROOK
        rjmp own
.no:    pop t
        pop t
        rjmp search.undo

; ---------------------------------------------------------------------- own, put
; Puts something on a square and logs what was there.
;   in   X, t = what; own: a piece of the side to move
;   uses t, ZL
;   6 words

own:    or t,side
put:    ld zl,X
        st X,t
        st Y+,xl
        st Y+,zl
.ret:   ret

; ------------------------------------------------------------------------- array
; Sets up an array, White to move.
;   in   r25:r24 = its number, 0 to 959
;   uses t, u, X, r18, r24, r25
;   62 words

array:  ldi xh,high(board)
        clr xl
.clear: st X,zh
        subi xl,-9
        andi xl,$77
        brne .clear
        ldi u,4                 ; bishops: b, d, f or h, then a, c, e or g
        rcall divide
        lsl t
        inc t
        ldi piece,WHITE+BISHOP
        mov xl,t
        st X,piece
        ldi u,4
        rcall divide
        lsl t
        mov xl,t
        st X,piece
        ldi u,6
        rcall divide
        ldi piece,WHITE+QUEEN
        rcall nth
        ldi u,4                 ; knights: 0 to 3 on the first free square and another,
.knights: cp r24,u              ; 4 to 6 on the second and one behind, ...
        brlo .found
        sub r24,u
        inc t
        dec u
        rjmp .knights
.found: inc t                   ; nth left -1
        add r24,t
        ldi piece,WHITE+KNIGHT
        rcall nth
        mov t,r24
        rcall nth
        ldi piece,WHITE+UNMOVED+ROOK
        rcall free
        ldi piece,WHITE+UNMOVED+KING
        rcall free
        ldi piece,WHITE+UNMOVED+ROOK
        rcall free
        ldi xl,7
.file:  ld t,X
        ldi u,WHITE^BLACK
        eor t,u
        subi xl,-$70
        st X,t
        ldi t,BLACK+UNMOVED+PAWN
        subi xl,$10
        st X,t
        ldi t,WHITE+UNMOVED+PAWN
        subi xl,$50
        st X,t
        subi xl,$10
        dec xl
        brpl .file
        ldi t,WHITE
        mov side,t
        mov newep,t
        assert WHITE == NOWHERE
        clr half
        clr turn
        ret

; --------------------------------------------------------------------- free, nth
; Puts a piece on a free square of the first rank.
;   in   t = how many free ones to leave out (free: none), XH, piece
;   out  t = -1, XL = where
;   uses XL, u
;   10 words

free:   clr t
nth:    ldi xl,-1
.next:  inc xl
        ld u,X
        tst u
        brne .next
        dec t
        brpl .next
        st X,piece
        ret

; ------------------------------------------------------------------------ divide
; Divides.
;   in   r25:r24 = up to 1023, u = 4 or more
;   out  r24 = quotient, r25 = 0, t = rest
;   uses XL
;   10 words

divide: clr xl
.more:  mov t,r24
        sub r24,u
        sbci r25,0
        inc xl
        brcc .more
        dec xl
        mov r24,xl
        clr r25
        ret

; The screen
; ==========

        section terminal in flash
        budget terminal <= 112

; -------------------------------------------------------------------------- show
; Shows hands, board, and the side to move.
;   in   side
;   uses t, u, r1, X, Z, c, k; 35 words

show:   rcall newline
        ldd xl,Y+HANDS
        clr c
        rcall hand
        ldd xl,Y+HANDS+1
        dec c                   ; Black
        rcall hand
        ldi xl,1                ; a4
        clr xh
.square: mov t,xl
        or t,xh
        andi t,$11
        breq .in
        rcall newline           ; before the a file
.in:    rcall column
        mov c,t
        ori t,FORMER            ; the sixth letter is for an empty square
        rcall put
        ldi u,' '
        sbrc c,5
        ldi u,'~'
        rcall tx
        lsl xl
        rol xh
        brcc .square
        rcall newline
        ldi u,'w'
        sbrc side,7
        ldi u,'b'
        rcall tx
newline: ldi u,13
        rcall tx
        ldi u,10
        rjmp tx

; -------------------------------------------------------------------------- hand
; Shows what is in a hand.
;   in   XL = hand, c bit 7 set for Black
;   uses t, u, XL, Z, k; 12 words

hand:   ldi k,PAWN
.kind:  cpi xl,$40
        brlo .next
        subi xl,$40
        mov t,k
        rcall put
        rjmp .kind
.next:  lsl xl
        lsl xl
        lsr k
        brne .kind
        ret

; ------------------------------------------------------------------------ put, tx
; put sends the letter of a piece, small for Black; tx sends u.
;   in   put: t = column, not 0; c bit 7 set for Black
;   uses t, put also u, Z; 11 words; 160 clocks when the line is busy

put:    rcall letter
        sbrc c,7
        ori u,$20
tx:     lds t,UCSR0A
        sbrs t,5
        rjmp tx
        sts UDR0,u
        ret

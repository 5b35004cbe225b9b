; Draws without a move of anybody
; ===============================

        section draws in flash
        budget draws <= 128

; Registers of the frame, which is not in use: the hash, and what pieces there are.
HASH    equ 21
        def h0 = r21
        def h1 = r22
        def h2 = r23
        def h3 = r24
        def men = r25
        def position = r19
        def count = r18

; ------------------------------------------------------------------------- draws
; Is the game drawn by material, fifty moves or repetition? Also writes the position's
; hash into the EEPROM.
;   in   half, seen as enum left it
;   out  goes to drawn, or to machine
;   uses r0, t, u, X, Z, the frame but for ep
;   64 words; 20 ms, nearly all for the EEPROM

draws:  mov h0,seen             ; a pawn that can be taken makes it another position
        andi h0,2
        clr h1
        clr h2
        clr h3
        clr men
        ldi xl,$7f
.square: ld t,X
        eor h0,t
        add h1,h0
        adc h2,h1
        adc h3,h2
        adc h0,h3
; Bits in men: 0 and 1 for bishops on squares of either colour, 2 for a knight, 0 and 1
; for all that can mate. Two bits: there may be a mate.
        andi t,7
        breq .none
        cpi t,KING
        breq .none
        cpi t,KNIGHT
        breq .knight
        cpi t,BISHOP
        ldi t,3                 ; LDI changes no flag
        brne .count
        mov t,xl                ; row + column
        swap t
        add t,xl
        andi t,1
        inc t
        rjmp .count
.drawn: rjmp drawn
.knight: ldi t,3
        sbrs men,2
        ldi t,4
.count: or men,t
.none:  dec xl
        brpl .square
        mov t,men
        dec t
        and t,men
        breq .drawn
        mov position,half
        cpi position,100
        brsh .drawn
        ldi zl,HASH
.write: rcall point
        out EEDR,u
        sbi EECR,2              ; master write enable, then write
        sbi EECR,1
.busy:  sbic EECR,1
        rjmp .busy
        cpi zl,HASH+4
        brne .write
        ldi count,3             ; this one is the first
.past:  ldi zl,HASH
.byte:  rcall point
        sbi EECR,0
        in r0,EEDR
        cp r0,u
        brne .differ
        cpi zl,HASH+4
        brne .byte
        dec count
        breq .drawn
.differ: subi position,2        ; the same side to move
        brpl .past
; falls into machine

        section history in flash
        budget history <= 14

; ------------------------------------------------------------------------- point
; Points to a byte of a hash in the EEPROM.
;   in   position, ZL = HASH + k, where k is odd for EEARH 0 and is 1 or 2 for EEARL
;        from 128 on
;   out  u = byte k of the hash of this position, ZL one more
;   uses t; 7 words, 12 clocks

point:  out EEARH,zl            ; of which there is only bit 0
        mov t,position
        sbrc zl,1
        subi t,128
        out EEARL,t
        ld u,Z+
        ret

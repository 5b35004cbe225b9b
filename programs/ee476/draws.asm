; Draws without a move of anybody
; ===============================

        section draws in flash
        budget draws <= 42

; ------------------------------------------------------------------------- draws
; Is the game drawn by material, fifty moves or repetition? Also writes the position's
; hash into the EEPROM.
;   in   half, seen as enum left it
;   out  goes to drawn or machine
;   uses t, u, X, Z, the frame but for ep
;   21 words; 20 ms, nearly all for the EEPROM

draws:  rcall hash
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
        ldi count,2             ; this one is the first
        rcall past
        brne machine
.drawn: rjmp drawn

        section history in flash
        budget history <= 116

; -------------------------------------------------------------------------- hash
; Hashes the position, and sees what men there are.
;   in   seen
;   out  h0 to h3; men: bits 0 and 1 for bishops on squares of either colour, 2 for a
;        knight, 0 and 1 for all that can mate: of two bits there may be a mate;
;        r0 = all men but kings, ORed
;   uses t, u, XL; 38 words; 4,000 clocks

hash:   mov h0,seen             ; a pawn that can be taken makes it another position
        andi h0,2
        clr h1
        clr h2
        clr h3
        clr men
        clr r0
        ldi xl,$7f
.square: ld t,X
        eor h0,t
        add h1,h0
        adc h2,h1
        adc h3,h2
        adc h0,h3
        mov u,t
        andi t,7
        breq .none
        cpi t,KING
        breq .none
        or r0,u
        cpi t,KNIGHT
        breq .knight
        cpi t,BISHOP
        ldi t,3
        brne .count
        mov t,xl                ; row + column
        swap t
        add t,xl
        andi t,1
        inc t
        rjmp .count
.knight: ldi t,3
        sbrs men,2
        ldi t,4
.count: or men,t
.none:  dec xl
        brpl .square
        ret

; -------------------------------------------------------------------------- past
; Looks for a position among those before it with the same side to move.
;   in   h0 to h3; position = its number; count = how many there must be
;   out  Z set if there are so many
;   uses t, u, ZL, position, count; 13 words; 40 clocks for each, and more

past:   subi position,2
        brmi .ret
        ldi zl,HASH
.byte:  rcall point
        sbi EECR,0
        in t,EEDR
        cp t,u
        brne past
        cpi zl,HASH+4
        brne .byte
        dec count
        brne past
.ret:   ret

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

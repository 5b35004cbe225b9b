; Terminal
; ========

        section screen in flash
        budget screen <= 166

; -------------------------------------------------------------------------- draw
; Shows the board, the side to move, and in chess the clocks.
;   uses t, u, X, Z; 40 words; 0.2 s

draw:   ldi xl,$f0              ; row -1 has the numbers of the columns
.row:   rcall newline
        mov u,xl
        swap u
        subi u,-'1'
        sbrc xl,7
        ldi u,' '
        rcall tx
.square: sbrc xl,7
        rjmp .number
        ld t,X
        rcall colour
        mov zl,t
        andi zl,7
        subi zl,-low(letters)
        rcall flash_tx
        rjmp .next
.number: ldi u,' '
        rcall tx
        mov u,xl
        subi u,$f0-'1'
        rcall tx
.next:  inc xl
        mov t,xl
        andi t,15
        cp t,size
        brne .square
        andi xl,$f0
        subi xl,-16
        mov t,xl
        swap t
        cp t,size
        brne .row
        rcall newline
        mov t,side
        rcall colour
        sbrs size,3
        ret
        ldi zl,low(clocks)
        rcall clock
; falls into clock, for Black's

; ------------------------------------------------------------------------- clock
; Shows a clock as m:ss, and a space.
;   in   Z
;   out  Z = the next clock
;   uses t, u; 16 words

clock:  ld u,Z+
        subi u,-'0'
        rcall tx
        ldi u,':'
        rcall tx
        ld t,Z+
        ldi u,'0'-1
.tens:  inc u
        subi t,10
        brcc .tens
        rcall tx
        mov u,t
        subi u,-'0'-10
        rcall tx
        ldi u,' '
        rjmp tx

; -------------------------------------------------------------------------- show
; Shows a square as the keys of its row and column.
;   in   ZL
;   uses u; 7 words

show:   mov u,zl
        swap u
        rcall .digit
        mov u,zl
.digit: andi u,7
        subi u,-'1'
        rjmp tx

; ------------------------------------------------------------- colour, flash_tx, tx
; Sends X, O, w or b for a side or a piece, a space for nothing.
;   in   t
; flash_tx sends the byte at Z in the flash, tx sends u.
;   uses r0, u, ZL; 14 words; a millisecond

colour: ldi u,' '
        tst t
        breq tx
        ldi zl,low(colours)
        sbrc size,3
        subi zl,-2
        sbrc t,7
        inc zl
flash_tx: lpm
        mov u,r0
tx:     sbis USR,5              ; empty?
        rjmp tx
        out UDR,u
        ret

; ---------------------------------------------------------------- newline, print
; Sends the text at Z in the flash, to its line feed.
;   out  Z = past the text
;   uses r0, u; 6 words

newline: ldi zl,low(crlf)
print:  rcall flash_tx
        inc zl
        cpi u,10
        brne print
        ret

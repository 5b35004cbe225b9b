; Where pieces go, and moves as text
; ==================================

        section moves in flash
        budget moves <= 230

; ------------------------------------------------------------------------ lowest
; Takes the lowest bit from a board.
;   in   X
;   out  Z = that bit, X = the others; carry set if there was none (Z is 0)
;   6 words, 18 clocks

lowest: movw zl,xl
        sbiw xl,1
        rcall targets.common
        eor zl,xl
        eor zh,xh
        ret

; ------------------------------------------------------------------------ column
; What stands on a square.
;   in   X = its bit
;   out  t = its column
;   uses u, r1, Z; 12 words, 110 clocks

column: movw zl,yl
        ldi t,$80               ; falls out after eight boards
.board: ld u,Z+
        and u,xl
        mov r1,u
        ld u,Z+
        and u,xh
        or u,r1
        neg u                   ; carry set unless it is 0
        ror t
        brcc .board
        ret

; ----------------------------------------------------------------------- targets
; Where a piece goes on a board where every square is its own or allowed: pawns go
; straight in the pass of quiet moves, and slanting in the others.
;   in   from, c, empty, phase, side
;   out  X
;   uses t, u, Z; 36 words with pawn; 40 to 150 clocks

targets: movw xl,froml
        sbrc c,3
        rjmp pawn
        sbrc c,1
        rjmp slanting
        rcall upright
        movw zl,xl
        sbrs c,4                ; a king's neighbours are those beside it, and beside
        movw xl,froml           ;   the squares above and below
        or xl,froml
        or xh,fromh
        rcall sideways
        or xl,zl
        or xh,zh
        sbrs c,2
        ret                     ; wazir, king
        movw zl,xl              ; Ma: slanting from the free ones of these, which leads
        and xl,emptyl           ;   to these as well
        and xh,emptyh
        rcall slanting
        com zl
        com zh
.common: and xl,zl              ; what is in both; also for others
        and xh,zh
        ret

pawn:   rcall upright
        movw zl,froml           ; ahead are for White the lower bits
        sbiw zl,1
        sbrc side,7
        com zl
        sbrc side,7
        com zh
        rcall targets.common
        sbrc phase,7
        ret
        rjmp sideways

; ------------------------------------------------- slanting, sideways, upright
; All squares a step away from those of a board: diagonally, to the sides, or up and down.
;   in   X
;   out  X
;   uses t, upright also u; 20 words; 26 clocks sideways, 12 upright

slanting: rcall upright
sideways: rcall .half           ; two ranks
.half:  mov t,xl
        lsl t
        andi t,$ee
        lsr xl
        andi xl,$77
        or t,xl
        mov xl,xh
        mov xh,t
        ret

upright: swap xl                ; bytes are pairs of ranks ab, cd; it becomes b, ac, bd, c
        swap xh
        mov t,xl
        andi t,$0f
        mov u,xh
        andi u,$f0
        or xh,t
        or xl,u
        ret

; ------------------------------------------------------------------------ format
; Writes a move as text: A2A3, A3A4W, W@B2, and a CR.
;   in   from, to, c, k; XL = where in the page of the line
;   uses t, u, X, Z; 21 words

format: ldi xh,high(line)
        movw zl,froml
        adiw zl,0
        brne .walk
        mov t,c
        rcall letter
        st X+,u
        ldi t,'@'
        st X+,t
        rjmp .to
.walk:  rcall square
.to:    movw zl,tol
        rcall square
        mov t,k
        tst t
        breq .end
        rcall letter
        st X+,u
.end:   ldi t,13
        st X+,t
        ret

; ------------------------------------------------------------------------ square
; Writes the name of a square.
;   in   Z = its bit, X = where
;   out  X
;   uses t, u, Z; 14 words

square: ldi u,4*'5'             ; down to four times the rank's digit, and 3 less the file
.shift: dec u
        lsr zh
        ror zl
        brcc .shift
        mov t,u
        com t
        andi t,3
        subi t,-'A'
        st X+,t
        lsr u
        lsr u
        st X+,u
        ret

; ------------------------------------------------------------------------ letter
; The letter of a piece.
;   in   t = column, not 0
;   out  u
;   uses t, Z; 6 words

letter: ldi zl,low(letters)
        ldi zh,high(letters)
.bit:   lpm u,Z+
        lsr t
        brcc .bit
        ret

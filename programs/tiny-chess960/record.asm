; The record of the game in the EEPROM; ends of the game
; ======================================================

        section records in flash

; ------------------------------------------------------------- ee_read, recorded
; Reads a byte of the EEPROM; recorded: the first of a record.
;   in   t, u = address, low and high; recorded: t = its number, 0 to 253
;   out  r0; t one more, u
;   uses t, u
;   10 words

recorded: subi t,-2
        clr u
        lsl t
        rol u
ee_read: out EEARH,u
        out EEARL,t
        inc t
        sbi EECR,EERE
        in r0,EEDR
        ret

; -------------------------------------------------------------- ee_write, ee_put
; Writes a byte to the EEPROM, if it is another; ee_put: where one was just read.
;   in   t, u = address; r24; ee_put: r0 = what is there
;   out  t one more, u
;   uses r0
;   9 words

ee_write: rcall ee_read
ee_put: cp r0,r24
        breq .same
        out EEDR,r24
        sbi EECR,EEMPE
        sbi EECR,EEPE
.busy:  sbic EECR,EEPE
        rjmp .busy
.same:  ret

; ----------------------------------------------------------------------- new_game
; Begins a record and sets up the board.
;   in   r25:r24 = number of the array
;   uses r0, r16-r31
;   8 words

new_game: clr turn
        push r24
        rcall trim
        pop r24
        ldi t,2
        rcall ee_write
        mov r24,r25
        rcall ee_write
; falls into replay: there is no move

; ------------------------------------------------------------------------- replay
; Sets up the board and plays the record, up to a move that is none.
;   in   u = most plies
;   out  turn = plies played; same = how often oldep and the holes were the position,
;        with the side to move that it has after u plies
;   uses r0, r16-r31
;   34 words; 10,000 to 75,000 clocks a ply, 26,000 on average

replay: mov upto,u
        clr same
        rcall header
        rcall array
.ply:   mov t,turn
        eor t,upto
        sbrs t,0
        rcall compare
        cp turn,upto
        breq .ret
        mov t,turn
        cpi t,FULL
        breq .ret
        rcall recorded
        rcall header.both
        sbrc r25,7
        ret
        mov t,r24
        rcall square
        mov mfrom,t
        mov t,r25
        swap t
        andi t,7
        mov promo,t
        lsl r24
        rol r25
        lsl r24
        rol r25
        mov t,r25
        rcall square
        mov mto,t
        rcall play
        brts .ply
.ret:   ret

; ------------------------------------------------------------------------- header
; The number of the array in the EEPROM; at: other two bytes; both: the byte just read and
; the one behind it.
;   in   at: t = address of the first; both: r0, and t, u = address of the second
;   out  r25:r24
;   uses r0, t, u
;   7 words

header: ldi t,2
.at:    clr u
        rcall ee_read
.both:  mov r24,r0
        rcall ee_read
        mov r25,r0
        ret

; ------------------------------------------------------------------------- resume
; Goes on with the game in the EEPROM. The count and the record are those before or after
; the last move or undo if power was cut then, and the byte that was being written may be
; anything. What stands in the record ends where it ends; with one move more than the
; count, the last may be half of one. After the seed program there may be moves of an
; older game behind the last, but the count is right.
;   uses r0, r16-r31
;   15 words

resume: clr t
        rcall header.at
        mov u,r25
        cpi r24,$ff
        breq .seed
        ldi u,FULL
.seed:  push r25
        rcall replay
        pop t
        inc t
        mov u,turn
        dec u
        cp t,turn
        brne trim
        rcall replay
; falls into trim

; -------------------------------------------------------------------- trim, ended
; Writes that the game has so many plies: ended only behind the last, that it ends there.
;   in   turn
;   out  u = 0 or 1
;   uses r0, t, r24
;   8 words

trim:   rcall count
ended:  mov t,turn
        cpi t,FULL
        breq .ret
        ser r24
        rcall recorded
        rjmp ee_write
.ret:   ret

; --------------------------------------------------------------------------- undo
; Takes the last move back.
;   in   turn = 1 or more
;   uses r0, r16-r31
;   4 words

undo:   dec turn
        rcall trim
        mov u,turn
        rjmp replay

; ----------------------------------------------------------------------------- go
; Makes and records a move if it is legal. First the end of the record behind it, then
; the move, then the count.
;   in   mfrom, mto, promo
;   out  T set if it is
;   uses r0, r16-r31
;   43 words; 70,000 to 290,000 clocks, nearly all for the EEPROM

go:     ldi xh,high(board)
        ldi r25,7
        mov xl,mfrom
        ld t,X
        mov xl,mto
        ld u,X
        and u,side
        breq .other
        ldi r25,2               ; castling
        cp mfrom,mto
        sbci r25,0
        rjmp .code
.other: rcall promotes
        brne .code
        mov r25,promo
.code:  mov t,mto
        rcall number
        mov r24,t
        lsl r24
        lsl r24
        ldi u,4
.shift: lsl r24
        rol r25
        dec u
        brne .shift
        mov t,mfrom
        rcall number
        or r24,t
        push r24
        push r25
        rcall play
        pop r25
        pop r18
        brtc counted
        rcall ended
        mov r24,r18
        mov t,turn
        dec t
        rcall recorded
        rcall ee_put
        mov r24,r25
        rcall ee_write
; Writes the count of plies behind which the game goes on.
;   in   turn
;   out  u = 0
;   uses r0, t, r24
;   4 words
count:  mov r24,turn
        ldi t,1
        clr u
        rjmp ee_write

; ---------------------------------------------------------------- square, number
; A square from the six bits of a record, and back.
;   in   t
;   out  t
;   uses u
;   10 words

square: andi t,$3f
        mov u,t
        andi u,$38
        add t,u
        ret
number: mov u,t
        andi u,7
        add t,u
        lsr t
counted: ret

; --------------------------------------------------------------------------- play
; Makes a move on the board if it is legal.
;   in   mfrom, mto, promo
;   out  T set if it is; side, turn, half, newep follow
;   uses r0, r16-r31
;   31 words

play:   rcall enum
        brtc counted
        swap side
        inc turn
        inc half
        andi piece,7+UNMOVED
        lds t,log+1             ; what was there: of the other side?
        and t,side
        brne .zero
        mov t,piece
        andi t,7
        cpi t,PAWN
        brne .keep
.zero:  clr half
; With the king's first move the rooks lose what they cannot use any more: otherwise
; positions would differ that are the same.
.keep:  cpi piece,KING+UNMOVED
        brne .passing
        mov xl,mfrom
        andi xl,$70
.row:   ld t,X
        andi t,$ff-UNMOVED
        st X+,t
        sbrs xl,3
        rjmp .row
; The same if nobody can take the pawn in passing.
.passing: sbrc newep,7
        ret
        rcall any
        sbrs seen,1
        mov newep,mto           ; NOWHERE
        set
        ret

; ------------------------------------------------------------------------- status
; How the game stands.
;   out  u = 0 on, 1 check, 2 mate, 3 stalemate, 4 drawn by material, 5 by fifty moves,
;        6 by repetition, 7 for want of room in the record
;   uses r0, r16-r31
;   70 words; 40,000 to 200,000 clocks, and replay

status: rcall any
        brts .alive
        tst u
        ldi u,2
        brmi .over
        ldi u,3
.over:  ret
.alive: andi u,1                ; only MATED is odd
        push u
; What men there are: bits 0 and 1 for bishops on squares of either colour, 2 for a
; knight, 0 and 1 for all that can mate: of two bits there may be a mate.
        clr u
        clr v
        clr xl
.square: ld t,X
        andi t,7
        breq .none
        cpi t,KING
        breq .none
        cpi t,KNIGHT
        breq .knight
        cpi t,BISHOP
        ldi t,3
        brne .count
        mov t,xl                ; rank + file
        swap t
        add t,xl
        andi t,1
        inc t
        rjmp .count
.knight: ldi t,3
        sbrs u,2
        ldi t,4
.count: or u,t
        ld t,X
        or v,t
.none:  ld t,X                  ; copies the position into the holes
        ori xl,HOLE
        st X,t
        inc xl
        andi xl,$77
        brne .square
        sts oldep,newep
        sts men,v
        mov t,u
        dec t
        and t,u
        ldi t,4
        breq .drawn
        inc t
        mov u,half
        cpi u,100
        brsh .drawn
        ldi t,7
        mov u,turn
        cpi u,FULL-1
        brsh .drawn
        mov t,half
        cpi t,8
        brlo .on
        rcall replay            ; u = turn
        mov u,same
        ldi t,6
        cpi u,3
        brsh .drawn
.on:    pop u
        ret
.drawn: pop u
        mov u,t
        ret

; ----------------------------------------------------------------------- compare
; Is the position that of the holes and oldep? A king's mark does not matter: without
; a marked rook he cannot castle, and with his first move the rooks lose theirs.
;   out  same one more if so
;   uses t, u, XL
;   19 words; 20 to 1,200 clocks

compare: lds t,oldep
        cp t,newep
        brne .ret
        clr xl
.square: ld t,X
        ori xl,HOLE
        ld u,X
        eor u,t
        breq .same
        cpi u,UNMOVED
        brne .ret
        sbrc t,0
        ret
.same:  inc xl
        andi xl,$77
        brne .square
        inc same
.ret:   ret

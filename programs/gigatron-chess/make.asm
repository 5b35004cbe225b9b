; Moves made and taken back
; =========================
;
; `make` makes the move of this ply's frame, `unmake` takes it back, step by step in
; the opposite order, so that all tables are as they were, byte for byte. The order:
; the victim leaves its list and the maps of leapers; the mover's own attacks as a
; leaper change places; the square it leaves is vacated; it takes the victim's place,
; or occupies an empty square.
;
; Special moves are plain moves with something before them (rare.asm): the pawn taken
; en passant disappears, the rook goes to its new square, the pawn becomes another
; piece where it stands. `unmake` takes that back behind the plain move.

        section make_cells in zero
make.low: ds 1
make.page: ds 1
from:   ds 1
to:     ds 1
flag:   ds 1
man:    ds 1            ; the piece that moves
vacated: ds 1            ; low byte of where `make` goes on when it has gone: make.empty
                        ; between moves
incheck.low: ds 1
incheck.page: ds 1

; Changes sides. 11 words and clocks; AC.
macro turn()
        ld [side]
        xora 1
        st [side]
        ora sliderw             ; columns of two maps differ in a bit, those of two
        st [owns]               ; colours too
        xora 1
        st [opps]
        xora sliderw^leaperw
        st [oppl]
        xora 1
        st [ownl]
endm

; A piece comes to a square. 7 words and clocks; AC, Y = the piece; sq = the square.
macro put(piece, square)
        ld [square]
        st [sq],y
        ld [piece]
        st [y,board]
        ld [piece],y
        ld [square]
        st [y,loc]
endm

; `call` with another place to come back to, in this section. 5 words and clocks; AC, Y.
macro call_for(routine, then)
        ld hi(then)
        st [return]
        ld hi(routine),y
        jmp y,routine
        ld low(then)
endm

; The end of `make` and `unmake`. 3 words and clocks.
; Goes to a routine that comes back there. 5 words and clocks; AC, Y.
        ifdef CHECK
macro finish()
        ld hi(compare),y
        jmp y,compare
        nop
endm
macro finish_with(routine)
        call(routine)
        sync
        finish()
endm
        else
macro finish()
        leave(make)
endm
macro finish_with(routine)
        ld [make.page]
        st [return]
        ld hi(routine),y
        jmp y,routine
        ld [make.low]
endm
        endif

        section make in rom within=256

; ------------------------------------------------------------------------------ make
; Makes a move and gives the turn to the other side.
;   in   f_from, f_to, f_flag of the frame [fp]
;   out  f_piece, f_victim, f_rights, f_ep; all tables; exposed: not 0 if the king that
;        stayed behind can be taken, or the rook it castled with
;   uses AC, X, Y, sq sp t, the cells of make, leap, rays and rare
;   clocks: 590 to 690 for a quiet move, 370 to 510 for a capture, 1,290 to castle

make:   enter(make)
        sync
        ld [fp],y
        ld [y,f_from]
        st [from]
        ld [ep]
        st [y,f_ep]
        ld 0
        st [ep]
        ld [y,f_to]
        st [to]
        ld [rights]
        st [y,f_rights]
        ld [to],y
        anda [y,rmask]
        ld [from],y
        anda [y,rmask]
        st [rights]
        ld [y,board]
        st [man]
        ld [to],y
        ld [y,board]
        st [victim]
        ld [fp],y
        st [y,f_victim]
        ld [man]
        st [y,f_piece]
        ld [man],y
        ld [y,slides]
        st [reach]
        ld [fp],y
        ld [y,f_flag]
        bne .special
        st [flag]
.plain: ld [victim]
        beq .step
        nop
        sync
        ld low(.filled)
        st [vacated]
        ld [to]
        st [sq]
        call(strike)
.step:  sync
        ld [reach]
        bne .go                 ; sliders are in no map of leapers
        nop
        call(stride)
.go:    sync
        ld [from]
        st [sq],y
        ld 0
        st [y,board]
        ld hi(.empty)
        st [return]
        ld hi(vacate),y
        jmp y,vacate
        ld [vacated]
.empty: sync
        put man, to
        ld [fp]
        st [keep]
        call(occupy)
.made:  sync
        ld [side]
        ora king,y
        ld [y,loc]
        st [t],y
        ld [opps],x
        ld [y,x]
        ld [oppl],x
        ora [y,x]
        st [exposed]
        turn()
        finish()

.filled: sync
        ld low(.empty)
        st [vacated]
        put man, to
        ld [reach]
        ora [prey]
        beq .made               ; neither of them slides: no ray has changed
        nop
        call_for exchange, .made

.special: sync
        ld hi(rare),y
        jmp y,rare
        ld [flag]

; --------------------------------------------------------------------------- incheck
; Is the king of the side to move attacked?
;   in   side, opps, oppl
;   out  AC: not 0 if so
;   uses X, Y, t; 14 clocks, no `sync`

incheck: enter(incheck)
        ld [side]
        ora king,y
        ld [y,loc]
        st [t],y
        ld [opps],x
        ld [y,x]
        ld [oppl],x
        ora [y,x]
        leave(incheck)
        stubs

        section unmake in rom within=256

; ---------------------------------------------------------------------------- unmake
; Takes back the move of the frame [fp], the last one made.
;   in   the frame
;   out  all as it was before `make`, byte for byte, but for the cells that it uses and
;        the fields of the frame
;   uses as make
;   clocks: 390 to 490 for a quiet move, 340 to 490 for a capture, 930 to castle

unmake: enter(make)
        sync
        turn()
        ld [fp]
        st [keep],y
        ld [y,f_rights]
        st [rights]
        ld [y,f_ep]
        st [ep]
        ld [y,f_from]
        st [from]
        ld [y,f_flag]
        st [flag]
        ld [y,f_victim]
        st [victim]
        ld [y,f_to]
        st [to]
        st [sq],y
        ld [y,board]            ; the piece that moved, or the one a pawn has become
        st [man],y
        ld [y,slides]
        st [reach]
        ld [flag]
        bne .special
        ld [victim]
        beq .empty
        nop
.taken: sync
        ld [victim],y
        ld [y,slides]
        st [prey]
        ora [reach]
        beq .back
        nop
        call(exchange)
.back:  sync
        ld [to],y
        ld [victim]             ; 0: the square is empty again
        st [y,board]
        put man, from
        call(unvacate)
        sync
        ld [victim]
        beq .step
        nop
        sync
        ld [to]
        st [sq]
        call(revive)
.step:  sync
        ld [reach]
        bne .done
        nop
        finish_with(stride)
.done:  finish()

.empty: sync
        call_for unoccupy, .back

.special: sync
        ld [flag]
        ld hi(unrare),y
        jmp y,unrare
        nop
.plain:
        ld [victim]
        bne .taken
        nop
        bra .empty
        nop
        stubs

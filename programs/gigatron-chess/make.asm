; Moves made and taken back
; =========================
;
; `make` makes the move of this ply's frame, `unmake` takes it back, step by step in
; the opposite order, so that all tables are as they were, byte for byte. The order:
; the victim leaves its list and the maps of leapers; the mover's own attacks as a
; leaper change places; the square it leaves is vacated; a promoted pawn changes slots;
; then it takes the victim's place, or occupies an empty square.

        section make_cells in zero
make.low: ds 1
make.page: ds 1
from:   ds 1
to:     ds 1
flag:   ds 1
man:    ds 1            ; the piece that moves
prize:  ds 1            ; square of a pawn taken en passant, or the rook's new one
corner: ds 1            ; the rook's old one
rook:   ds 1            ; the rook, or a promoted piece
crown.low: ds 1
crown.page: ds 1
crown.pool: ds 1        ; list of free slots
incheck.low: ds 1
incheck.page: ds 1

; Changes sides. 15 words and clocks; AC.
macro turn()
        ld [side]
        xora 1
        st [side]
        ld [owns]
        xora 1
        st [owns]
        ld [opps]
        xora 1
        st [opps]
        ld [ownl]
        xora 1
        st [ownl]
        ld [oppl]
        xora 1
        st [oppl]
endm

; Sets `prize` to the square behind [to], as the side to move sees it. 7 words and
; clocks; AC = prize.
macro behind()
        ld [side]
        beq .white
        ld [to]
        adda 2*north
.white: suba north
        st [prize]
endm

        section make in rom within=256

; ------------------------------------------------------------------------------ make
; Makes a move and gives the turn to the other side.
;   in   f_from, f_to, f_flag of the frame [fp]
;   out  f_piece, f_victim, f_rights, f_ep; all tables; exposed: not 0 if the king that
;        stayed behind can be taken, or the rook it castled with
;   uses AC, X, Y, sq sp t, the cells of make, leap and rays
;   clocks: see the figures in the tests

make:   enter(make)
        sync
        ld [fp],y
        ld [y,f_from]
        st [from]
        ld [y,f_flag]
        st [flag]
        ld [ep]
        st [y,f_ep]
        ld 0
        st [ep]
        ld [rights]
        st [y,f_rights]
        ld [y,f_to]
        st [to],y
        ld [rights]
        anda [y,rmask]
        st [rights]
        ld [y,board]
        st [victim]
        ld [fp],y
        st [y,f_victim]
        ld [from],y
        ld [rights]
        anda [y,rmask]
        st [rights]
        ld [y,board]
        ld [fp],y
        st [y,f_piece]
        st [man],y
        ld [y,slides]
        st [reach]
        ld [flag]
        bne .special
        nop
        sync
        ld [victim]
        beq .step
        ld [to]
        st [sq]
        call(strike)
.step:  sync
        ld [reach]
        bne .go                 ; sliders are in no map of leapers
        ld [from]
        st [sq]
        ld [to]
        st [also]
        ld [man]
        st [sp]
        call(leap)
.go:    sync
        ld [from]
        st [sq]
        st [t],y
        ld 0
        st [y,board]
        call(vacate)
        sync
        ld [flag]
        suba promote
        bge .promote
        nop
.come:  sync
        ld [to]
        st [sq]
        st [t],y
        ld [man]
        st [y,board]
        st [t],y
        ld [to]
        st [y,loc]
        ld [victim]
        beq .empty
        ld [fp]
        call(exchange)
        sync
        bra .made
        nop
.empty: st [keep]
        call(occupy)
.made:  sync
        ld [side]
        ora king
        st [t],y
        ld [y,loc]
        st [t],y
        ld [opps],x
        ld [y,x]
        ld [oppl],x
        ora [y,x]
        st [exposed]
.turn:  turn()
        leave(make)

.special: sync
        ld [flag]
        suba double
        beq .double
        suba passing-double
        beq .passing
        suba castle-passing
        bne .pawn
        ld hi(castling),y
        jmp y,castling
        nop
.double: ld [rules]
        anda 1
        beq .step
        nop
        behind()
        bra .step
        st [ep]
.passing: sync
        behind()
        st [sq]
        st [t],y
        ld [y,board]
        st [victim]
        ld [fp],y
        st [y,f_victim]
        ld [sq],y
        ld 0
        st [y,board]
        call(strike)
        sync
        ld [prize]
        st [sq]
        call(vacate)
        sync
        ld 0
        bra .step
        st [victim]
.pawn:  sync                    ; it does not attack from the last rank
        ld [victim]
        beq .push
        ld [to]
        st [sq]
        call(strike)
.push:  sync
        ld [from]
        st [sq]
        ld [man]
        st [sp]
        call(leap)
        sync
        bra .go
        nop
.promote: sync
        call(crown)
        sync
        bra .come
        nop

; --------------------------------------------------------------------------- incheck
; Is the king of the side to move attacked?
;   in   side, opps, oppl
;   out  AC: not 0 if so
;   uses X, Y, t; 14 clocks, no `sync`

incheck: enter(incheck)
        ld [side]
        ora king
        st [t],y
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
;   out  all as it was before `make`
;   uses as make

unmake: enter(make)
        sync
        turn()
        ld [fp],y
        ld [y,f_rights]
        st [rights]
        ld [y,f_ep]
        st [ep]
        ld [y,f_from]
        st [from]
        ld [y,f_to]
        st [to]
        ld [y,f_flag]
        st [flag]
        ld [y,f_victim]
        st [victim]
        ld [y,f_piece]
        st [man]
        sync
        ld [to]
        st [sq]
        st [t],y
        ld [y,board]
        st [rook],y             ; what stands there: a promoted piece, maybe
        ld [y,slides]
        st [reach]
        ld [flag]
        suba passing
        beq .empty
        suba castle-passing
        beq .castle
        ld [victim]
        beq .empty
        st [t],y
        ld [y,slides]
        st [prey]
        call(exchange)
        sync
        bra .back
        nop
.empty: sync
        ld [fp]
        st [keep]
        call(unoccupy)
.back:  sync
        ld [flag]
        suba promote
        bge .promoted
.from:  ld [from]
        st [sq]
        call(unvacate)
        sync
        ld [victim]             ; 0: an empty square
        ld [to],y
        st [y,board]
        ld [from],y
        ld [man]
        st [y,board]
        st [t],y
        ld [from]
        st [y,loc]
        ld [reach]
        bne .free
        nop
        sync
        ld [from]
        st [sq]
        ld [flag]
        suba promote
        bge .one
        ld 0
        ld [to]
.one:   st [also]
        ld [man]
        st [sp]
        call(leap)
.free:  sync
        ld [flag]
        xora passing
        beq .passing
        ld [to]
.taken: st [sq]
        ld [victim]
        beq .done
        nop
        call(revive)
.done:  sync
        leave(make)

.castle: ld hi(uncastling),y
        jmp y,uncastling
        nop
.promoted: sync
        call(uncrown)
        sync
        ld 0
        bra .from
        st [reach]
.passing: sync
        ld 0
        ld [to],y
        st [y,board]
        behind()
        st [sq]
        call(unvacate)
        sync
        ld [prize],y
        ld [victim]
        st [y,board]
        bra .taken
        ld [prize]
        stubs

; Where the rook goes from and to. 12 words; AC.
macro rooks()
        ld [to]
        suba [from]
        blt .long
        ld [to]
        adda east
        st [corner]
        suba 2*east
        bra .short
        st [prize]
.long:  suba 2*east
        st [corner]
        adda 3*east
        st [prize]
.short:
endm

; Puts a piece on a square. 7 words and clocks; AC, Y.
macro put(piece, square)
        ld [square],y
        ld [piece]
        st [y,board]
        st [t],y
        ld [square]
        st [y,loc]
endm

        section castling in rom within=256

; -------------------------------------------------------------------------- castling
; The king's move that is two moves: parts of `make` and `unmake`. What the rook's
; square remembers has a page of its own.

castling: sync
        rooks()
        ld [from]
        st [sq]
        ld [to]
        st [also]
        ld [man]
        st [sp]
        call(leap)
        sync
        ld [from]
        st [sq]
        call(vacate)            ; reach is 0
        sync
        ld [from],y
        ld 0
        st [y,board]
        ld [corner]
        st [sq],y
        ld [y,board]
        st [rook],y
        ld [y,slides]
        st [reach]
        ld [corner],y
        ld 0
        st [y,board]
        call(vacate)
        sync
        put man, to
        st [sq]
        ld [fp]
        st [keep]
        ld 0
        st [reach]
        call(occupy)
        sync
        put rook, prize
        st [sq]
        ld [y,slides]
        st [reach]
        ld [fp]
        adda second
        st [keep]
        call(occupy)
        sync
        ld [prize],y            ; the king went across this square
        ld [opps],x
        ld [y,x]
        ld [oppl],x
        ora [y,x]
        ld [to],y
        ora [y,x]
        ld [opps],x
        ora [y,x]
        st [exposed]
        turn()
        leave(make)

uncastling: sync
        rooks()
        ld [prize]
        st [sq],y
        ld [y,board]
        st [rook],y
        ld [y,slides]
        st [reach]
        ld [fp]
        adda second
        st [keep]
        call(unoccupy)
        sync
        ld 0
        st [reach]
        ld [prize],y
        st [y,board]
        ld [fp]
        st [keep]
        ld [to]
        st [sq],y
        ld 0
        st [y,board]
        call(unoccupy)
        sync
        put rook, corner
        st [sq]
        ld [y,slides]
        st [reach]
        call(unvacate)
        sync
        put man, from
        st [sq]
        ld 0
        st [reach]
        call(unvacate)
        sync
        ld [from]
        st [sq]
        ld [to]
        st [also]
        ld [man]
        st [sp]
        call(leap)
        sync
        leave(make)
        stubs

; The list of free slots that a promotion draws from. 6 words; AC.
macro pool()
        ld [flag]
        suba promote+2
        beq .knight
        ld freekn
        ld freesl
.knight: adda [side]
endm

        section crown in rom within=256

; ----------------------------------------------------------------------------- crown
; A pawn's slot is exchanged for a free one, which joins the list behind the king.
;   in   man, to, flag, side, fp
;   out  man: the new piece, reach
;   uses AC, X, Y, t sq sp near

crown:  enter(crown)
        sync
        cut man
        pool()
        st [crown.pool]
        sync
        ld [crown.pool],x
        ld [x]
        st [man],y
        ld [y,next]
        st [x]
        ld [y,kind]             ; what the slot had when it was last in use
        st [near]
        ld [y,slides]
        st [near+1]
        ld [y,loc]
        st [near+2]
        ld [y,prev]
        st [near+3]
        ld [flag]
        suba promote
        st [y,kind]
        adda first.k
        st [t],y
        ld [y,slidesof]
        st [reach]
        ld [man],y
        st [y,slides]
        sync
        ld [fp]
        adda second
        st [t],y
        ld [near]
        st [y,f_near]
        ld [near+1]
        st [y,f_near1]
        ld [near+2]
        st [y,f_near2]
        ld [near+3]
        st [y,f_near3]
        ld [side]
        ora king
        st [t],y
        ld [y,next]
        ld [man],y
        st [y,next]
        st [leap.bit],y         ; (the end of the list: page 0)
        ld [man]
        st [y,prev]
        ld [t],y
        st [y,next]
        ld [t]
        ld [man],y
        st [y,prev]
        sync
        ld [reach]
        bne .done
        ld [to]
        st [sq]
        ld [man]
        st [sp]
        call(leap)
.done:  sync
        leave(crown)

; --------------------------------------------------------------------------- uncrown
; Takes it back.
;   in   rook: the promoted piece, reach: where it slides; man: the pawn; to, flag,
;        side, fp
;   out, uses as there

uncrown: enter(crown)
        sync
        ld [reach]
        bne .listed
        ld [to]
        st [sq]
        ld [rook]
        st [sp]
        call(leap)
.listed: sync
        cut rook
        pool()
        st [crown.pool],x
        ld [rook],y
        ld [x]
        st [y,next]
        ld [rook]
        st [x]
        sync
        ld [fp]
        adda second
        st [t],y
        ld [y,f_near]
        st [near]
        ld [y,f_near1]
        st [near+1]
        ld [y,f_near2]
        st [near+2]
        ld [y,f_near3]
        ld [rook],y
        st [y,prev]
        ld [near]
        st [y,kind]
        ld [near+1]
        st [y,slides]
        ld [near+2]
        st [y,loc]
        sync
        tie man
        leave(crown)
        stubs

; What kings, knights and pawns attack
; ====================================
;
; The maps of leapers hold a bit for each attacker, at all squares, empty or not. A
; piece toggles its bit where it goes from and where it comes to.

        section leap_cells in zero
leap.low: ds 1
leap.page: ds 1
leap.bit: ds 1
leap.map: ds 1          ; column
also:   ds 1            ; a second square, 0 none
victim: ds 1            ; a piece taken, 0 none

; Toggles bit [leap.bit] in column X of the page [sq] + step. 6 words and clocks.
macro hop(step)
        ld [sq]
        adda low(step)
        st [t],y
        ld [y,x]
        xora [leap.bit]
        st [y,x]
endm

; The same with a bit and a column that are known. 6 words and clocks.
macro slant(step, map, what)
        ld [sq]
        adda low(step)
        st [t],y
        ld [y,map]
        xora what
        st [y,map]
endm

; Takes a piece out of its list; it keeps its own links. 9 words and clocks; AC, Y, t,
; leap.bit.
macro cut(piece)
        ld [piece],y
        ld [y,prev]
        st [t]
        ld [y,next]
        ld [t],y
        st [y,next]
        st [leap.bit],y         ; (the end of a list: page 0)
        ld [t]
        st [y,prev]
endm

; Puts it back where it was. 9 words and clocks; AC, Y, t.
macro tie(piece)
        ld [piece],y
        ld [y,prev]
        st [t]
        ld [y,next]
        st [leap.bit],y
        ld [piece]
        st [y,prev]
        ld [t],y
        st [y,next]
endm

        section leap in rom within=256

; ---------------------------------------------------------------------------- strike
; Takes the piece [victim] on [sq] out of its list and of the maps of leapers.
;   in   sq, victim, also = 0
;   out  prey: where it slides
;   uses AC, X, Y, t, sp
;   clocks: 30; 70 for a pawn, 130 for a knight

strike: enter(leap)
        sync
        cut victim
        bra leap.taken
        nop

; ---------------------------------------------------------------------------- revive
; Takes `strike` back.
;   in, uses, clocks as there

revive: enter(leap)
        sync
        tie victim
        bra leap.taken
        nop

; ------------------------------------------------------------------------------ leap
; Toggles what a king, knight or pawn attacks from one square or from two.
;   in   sp which it is, sq where it stands, also: another square or 0
;   out  leaperw or leaperb of the squares it attacks; sq = also = 0
;   uses AC, X, Y, t
;   clocks: 40 for a pawn, 90 for others, for each square

leap:   enter(leap)
        ld [sp],y
.piece: ld [y,bit]
        beq .pawn
        st [leap.bit]
        ld [sp]
        anda 1
        adda leaperw
        st [leap.map]
        ld [y,kind]
        suba 6
        beq .king
        nop
.knight: sync
        ld [leap.map],x
        hop 2*north+east
        hop 2*north-east
        hop north+2*east
        hop north-2*east
        hop 2*east-north
        sync
        ld [leap.map],x
        hop -2*east-north
        hop east-2*north
        hop -east-2*north
        ld [also]
        beq .done
        st [sq]
        ld 0
        bra .knight
        st [also]
.king:  sync
        ld [leap.map],x
        hop step0
        hop step1
        hop step2
        hop step3
        hop step4
        sync
        ld [leap.map],x
        hop step5
        hop step6
        hop step7
        ld [also]
        beq .done
        st [sq]
        ld 0
        bra .king
        st [also]
.pawn:  ld [sp]
        anda 1
        bne .black
        nop
.white: sync
        slant north+east, leaperw, 2
        slant north-east, leaperw, 1
        ld [also]
        beq .done
        st [sq]
        ld 0
        bra .white
        st [also]
.black: sync
        slant east-north, leaperb, 2
        slant -east-north, leaperb, 1
        ld [also]
        beq .done
        st [sq]
        ld 0
        bra .black
        st [also]
.done:  leave(leap)
.taken: ld [victim],y
        ld [y,slides]
        st [prey]
        bne .done
        ld [victim]
        bra .piece
        st [sp]
        stubs

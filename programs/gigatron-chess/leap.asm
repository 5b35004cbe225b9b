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

; Toggles bit [leap.bit] in column X of the page [sq] + step. 5 words and clocks.
macro hop(step)
        ld [sq]
        adda low(step),y
        ld [y,x]
        xora [leap.bit]
        st [y,x]
endm

; The same with a bit and a column that are known, from any square. 5 words and clocks.
macro slant(square, step, map, what)
        ld [square]
        adda low(step),y
        ld [y,map]
        xora what
        st [y,map]
endm

; A pawn's two squares. 10 words and clocks; in: AC = [square].
macro pace(square, forward, map)
        adda low(forward+east),y
        ld [y,map]
        xora 2
        st [y,map]
        slant square, forward-east, map, 1
endm

; Goes round once more for the second square, or is done. 6 words and clocks.
macro next_square(again, done)
        ld [also]
        beq done
        st [sq]
        ld 0
        bra again
        st [also]
endm

; Takes a piece out of its list; it keeps its own links. 9 words and clocks; AC, Y, t.
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
;   in   sq, victim
;   out  prey: where it slides
;   uses AC, X, Y, t, sp, also, leap.bit
;   clocks: 35 for a slider, 60 for a pawn, 100 for a knight

strike: enter(leap)
        cut victim
        bra leap.taken
        nop

; ---------------------------------------------------------------------------- revive
; Takes `strike` back: in, out, uses and clocks as there.

revive: enter(leap)
        tie victim
        bra leap.taken
        nop

; ---------------------------------------------------------------------------- stride
; The piece [man] goes from one square to another, as a leaper.
;   in   man, from, to
;   out  leaperw or leaperb of the squares it attacked and attacks
;   uses AC, X, Y, sp, sq, also, leap.bit
;   clocks: 31 for a pawn, 130 for others

stride: enter(leap)
        ld [man],y
        ld [y,bit]
        beq .pawn
        ld [side]
        ld [man]
        st [sp]
        ld [from]
        st [sq]
        ld [to]
        st [also]
        bra leap.piece
        nop
.pawn:  bne .black
        ld [from]
        pace(from, north, leaperw)
        ld [to]
        pace(to, north, leaperw)
        leave(leap)
.black: pace(from, -north, leaperb)
        ld [to]
        pace(to, -north, leaperb)
        leave(leap)

; ------------------------------------------------------------------------------ leap
; Toggles what a king, knight or pawn attacks from one square or from two.
;   in   sp which it is, sq where it stands, also: another square or 0
;   out  leaperw or leaperb of the squares it attacks
;   uses AC, X, Y, leap.bit; sq, also
;   clocks: 40 for a pawn; 75 for others, 55 for the second square

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
        hop -2*east-north
        hop east-2*north
        sync
        ld [leap.map],x
        hop -east-2*north
        next_square .knight, .done
.king:  ld hi(leap.royal),y
        jmp y,leap.royal
        nop
.taken: ld 0
        st [also]
        ld [victim]
        st [sp],y
        ld [y,slides]
        st [prey]
        bne .done
        nop
        ld [y,bit]
        beq .pawn
        nop
        sync
        bra .piece
        ld [sp],y
.pawn:  sync
        ld [sp]
        anda 1
        bne .black
        ld [sq]
        pace(sq, north, leaperw)
.done:  leave(leap)
.black: pace(sq, -north, leaperb)
        leave(leap)
        stubs

        section kings in rom within=256

leap.royal: sync
        ld [leap.map],x
        hop step0
        hop step1
        hop step2
        hop step3
        hop step4
        hop step5
        hop step6
        sync
        ld [leap.map],x
        hop step7
        next_square leap.royal, leap.landed
leap.landed: leave(leap)
        stubs

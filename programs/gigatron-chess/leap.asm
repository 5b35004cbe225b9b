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
victim: ds 1            ; a piece taken, 0 none

; Toggles bit [leap.bit] in column X of the page [sq] + step. 5 words and clocks.
macro hop(step)
        ld [sq]
        adda low(step),y
        ld [y,x]
        xora [leap.bit]
        st [y,x]
endm

; Goes round once more for the second square, or is done. 6 words and clocks.
macro next_square(again, done)
        bra done
        nop
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

; -------------------------------------------------------------------- strike, revive
; Takes the piece [victim] on [sq] out of its list and of the maps of leapers, or puts it
; back: what changes, in the list too, changes back in the same way.
;   in   sq, victim
;   out  prey: where it slides
;   uses AC, X, Y, t, sp, also, leap.bit, leap.map
;   clocks: 27 for a slider, 65 for a pawn, 105 for a knight

strike:
revive: enter(leap)
        ld [victim],y
        ld [y,next]
        st [leap.bit]
        ld [y,prev]
        st [t],y
        ld [leap.bit]           ; its neighbours have each other or the piece
        xora [victim]
        xora [y,next]
        st [y,next]
        ld [t]
        xora [victim]
        ld [leap.bit],y         ; (the end of a list: page 0)
        xora [y,prev]
        st [y,prev]
        ld [victim]
        st [sp],y
        ld [y,slides]
        st [prey]
        bne leap.gone
        ld [leap.page],y
        sync
        bra leap.piece
        ld [sp],y

; ------------------------------------------------------------------------------ leap
; Toggles what a king, knight or pawn attacks from one square or from two.
;   in   sp which it is, sq where it stands, also: another square or 0
;   out  leaperw or leaperb of the squares it attacks
;   uses AC, X, Y, leap.bit, leap.map; sq, also
;   clocks: 45 for a pawn, 25 for the second square; 75 for others, 55 for the second

leap:   enter(leap)
        ld [sp],y
.piece: ld [sp]
        anda 1
        adda leaperw
        st [leap.map]
        ld [y,bit]
        beq .pawn
        st [leap.bit]
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
.pawn:  sync
        ld [leap.map],x
        ld [sp]
        anda 1
        beq .white
        ld north
        ld -north
.white: adda [sq]
        st [leap.bit]           ; the square in front of it
        adda east,y
        ld [y,x]
        xora 2
        st [y,x]
        ld [leap.bit]
        suba east,y
        ld [y,x]
        xora 1
        st [y,x]
        next_square .pawn, .done
.done:  ld [leap.page],y
.gone:  targets sync
        jmp y,[leap.low]
        nop
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

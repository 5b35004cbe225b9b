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

; Toggles bit [leap.bit] in column X of the page [sq] + step. 5 words and clocks.
macro hop(step)
        ld [sq]
        adda low(step),y
        ld [y,x]
        xora [leap.bit]
        st [y,x]
endm

; The square in front of a pawn. A cell of rays.asm, which is not at work meanwhile.
leap.front equ near

        section leap in rom within=256

; ---------------------------------------------------------------------------- strike
; Takes the piece [sp] on [sq] out of its list and of the maps of leapers, or puts it
; back: what changes, in the list too, changes back in the same way.
;   in   sq, sp
;   out  prey: where it slides
;   uses AC, X, Y, t, leap.bit, leap.map, leap.front
;   clocks: 30 for a slider, 75 for a pawn, 85 for a knight

strike: enter(leap)
        sync
        ld [sp],y
        ld [y,slides]
        st [prey]
        ld [y,next]
        st [leap.bit]
        ld [y,prev]
        st [t],y
        ld [leap.bit]           ; its neighbours have each other or the piece
        xora [sp]
        xora [y,next]
        st [y,next]
        ld [t]
        xora [sp]
        ld [leap.bit],y         ; (the end of a list: page 0)
        xora [y,prev]
        st [y,prev]
        ld [prey]
        bne leap.gone
        ld [leap.page],y        ; (slot)
        bra leap.piece
        nop

; ------------------------------------------------------------------------------ leap
; Toggles what a king, knight or pawn attacks.
;   in   sp which it is, sq where it stands
;   out  leaperw or leaperb of the squares it attacks
;   uses AC, X, Y, leap.bit, leap.map, leap.front
;   clocks: 40 for a pawn, 65 for others

leap:   enter(leap)
.piece: sync
        ld [sp]
        anda 1
        adda leaperw
        st [leap.map]
        ld [sp],y
        ld [y,bit]
        beq .pawn
        st [leap.bit]           ; (slot)
        ld [y,kind]
        suba 6
        bne .knight
        ld [leap.map],x         ; (slot)
        hop step0
        hop step1
        hop step2
        sync
        ld [leap.map],x
        hop step3
        hop step4
        hop step5
        hop step6
        hop step7
.done:  ld [leap.page],y
.gone:  targets sync
        jmp y,[leap.low]        ; (the slot is the next word)

.knight: hop 2*north+east
        hop 2*north-east
        hop north+2*east
        sync
        ld [leap.map],x
        hop north-2*east
        hop 2*east-north
        hop -2*east-north
        hop east-2*north
        hop -east-2*north
        bra .gone
        ld [leap.page],y        ; (slot)

.pawn:  ld [leap.map],x
        ld [sp]
        anda 1
        beq .white
        ld north                ; (slot)
        ld -north
.white: adda [sq]
        st [leap.front]           ; the square in front of it
        adda east,y
        ld [y,x]
        xora 2
        st [y,x]
        ld [leap.front]
        suba east,y
        ld [y,x]
        xora 1
        bra .done
        st [y,x]                ; (slot)

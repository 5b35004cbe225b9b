; Rays and attackers, step by step
; ================================
;
; What happens to neighbours and attack maps when a square becomes empty or occupied.
; Nothing here asks what kind of piece it is; only in which directions it slides.
;
; Rays are doubly linked: when a piece goes, its neighbours to both sides become
; neighbours of each other, and its square keeps remembering them, so that it can be
; put back. Who attacked the square then attacks what stands behind it. So in the map
; of each colour the bits change, at the next square in each direction, that
; differ between what came to the square and what went out from it. That is true in
; both directions of time: the same bits put it back.

; ---- cells -------------------------------------------------------------------------

        section rays_cells in zero
ray.low: ds 1
ray.page: ds 1
empty.low: ds 1
empty.page: ds 1
near:   ds 8            ; neighbours of the square
reach:  ds 1            ; directions in which the piece slides
prey:   ds 1            ; and the one it takes
keep:   ds 1            ; page that remembers what the square remembered

; Bits of the maps that change. They stand where the maps have their columns, so that
; `owns` and `opps` are pointers to them too.
        section deltas in zero
        org sliderw
deltaw: ds 1
deltab: ds 1

; ---- indexed by ply, and by ply + second for a second piece that moves ---------------

        column f_near, root, last+second
        column f_near1, root, last+second
        column f_near2, root, last+second
        column f_near3, root, last+second
        column f_near4, root, last+second
        column f_near5, root, last+second
        column f_near6, root, last+second
        column f_near7, root, last+second
        column f_sliderw, root, last+second
        column f_sliderb, root, last+second

; f_near by direction
near_0  equ f_near
near_1  equ f_near1
near_2  equ f_near2
near_3  equ f_near3
near_4  equ f_near4
near_5  equ f_near5
near_6  equ f_near6
near_7  equ f_near7

; Takes [sq] out of the rays along d. 10 words and clocks; AC, Y; out: near.
macro unlink(d)
        ld [sq],y
        ld [y,nb+d]
        st [near+d]
        ld [y,nb+(d^2)]
        st [near+(d^2)],y
        ld [near+d]
        st [y,nb+d]
        st [near+d],y
        ld [near+(d^2)]
        st [y,nb+(d^2)]
endm

; Puts it back into them. 9 words and clocks; AC, Y; out: near.
macro relink(d)
        ld [sq],y
        ld [y,nb+(d^2)]
        st [near+(d^2)]
        ld [y,nb+d]
        st [near+d],y
        ld [sq]
        st [y,nb+(d^2)]
        ld [near+(d^2)],y
        st [y,nb+d]
endm

; Changes the bits of direction d at the neighbour there. 9 words and clocks; AC, Y.
macro change(d)
        ld [near+d],y
        ld [deltaw]
        anda 1<<d
        xora [y,sliderw]
        st [y,sliderw]
        ld [deltab]
        anda 1<<d
        xora [y,sliderb]
        st [y,sliderb]
endm

        section rays in rom within=256

; ---------------------------------------------------------------------------- vacate
; The piece on [sq] goes. The square remembers its neighbours and who attacked it.
;   in   sq; reach: where the piece slides; owns: map of its colour
;   out  rays and maps of sliders without it
;   uses AC, X, Y, near, deltaw, deltab
;   clocks: 75, and 45 for each of orthogonals and diagonals where attacks change

vacate: enter(ray)
        unlink 0
        unlink 1
        sync
        unlink 4
        unlink 5
        bra spread
        ld [sq],y

; -------------------------------------------------------------------------- unvacate
; Takes `vacate` back: in, out, uses and clocks as there.

unvacate: enter(ray)
        relink 0
        relink 1
        sync
        relink 4
        relink 5
        bra spread
        ld [sq],y

; -------------------------------------------------------------------------- exchange
; On [sq] a piece of another colour takes the place of one, or the other way round.
;   in   sq; reach: where our piece slides; prey: where theirs does; owns, opps
;   out  maps of sliders
;   uses as vacate
;   clocks: 50, and 45 for each of orthogonals and diagonals where attacks change

exchange: enter(ray)
        sync
        ld [sq],y
        repeat 8, d
        ld [y,nb+d]
        st [near+d]
        endr
        ld [owns],x
        ld [reach]
        st [x]
        ld [opps],x
        ld [prey]
        bra spread.bits
        st [x]

; ---------------------------------------------------------------------------- spread
; Changes the attackers at the neighbours of [sq].
;   in   near, reach, owns; Y = [sq]; comes by `bra`
;   `spread.bits`: in   near, deltaw, deltab

spread: ld [y,sliderw]
        st [deltaw]
        ld [y,sliderb]
        st [deltab]
        ld [owns],x
        ld [x]
        xora [reach]
        st [x]
.bits:  ld [deltaw]
        ora [deltab]
        anda $0f
        beq .diagonal
        nop
        sync
        change 0
        change 1
        change 2
        change 3
.diagonal: sync
        ld [deltaw]
        ora [deltab]
        anda $f0
        beq .done
        nop
        sync
        change 4
        change 5
        change 6
        change 7
        sync
.done:  leave(ray)
        stubs

; Remembers in page [keep] what [sq] has in a column. 4 words and clocks; AC, Y.
macro save(cell, field)
        ld [sq],y
        ld [y,cell]
        ld [keep],y
        st [y,field]
endm

; Takes it back. 4 words and clocks; AC, Y.
macro restore(cell, field)
        ld [keep],y
        ld [y,field]
        ld [sq],y
        st [y,cell]
endm

; Looks from near in direction d for the next square with something on it. 10 words; 10
; clocks a step.
macro look(d)
.again: sync
        ld [near+d]
        adda low(step##d)
        st [near+d],y
        ld [y,board]
        beq .again
        nop
endm

; Puts [sq] between its neighbours along d, one of which is known, as they see it. 7
; words and clocks; AC, Y; out: near.
macro between(d)
        ld [near+d],y
        ld [y,nb+(d^2)]
        st [near+(d^2)]
        ld [sq]
        st [y,nb+(d^2)]
        ld [near+(d^2)],y
        st [y,nb+d]
endm

; And as it sees them. 2 words and clocks; AC; Y = [sq].
macro mark(d)
        ld [near+d]
        st [y,nb+d]
endm

; What comes to [sq] by the map of a colour: of each neighbour the bit of its
; direction. 31 words and clocks; AC, Y.
macro gather(map, delta)
        ld [near],y
        ld [y,map]
        repeat 7, d, 1
        ld [near+d],y
        xora [y,map]
        anda (1<<d)-1
        xora [y,map]
        endr
        st [delta]
endm

        section squares in rom within=256

; ---------------------------------------------------------------------------- occupy
; A piece comes to the empty square [sq].
;   in   sq, reach, owns; keep: page for what the square remembered
;   out  rays and maps of sliders with it
;   uses as vacate
;   clocks: 250, 10 for each empty square looked at, and 45 as in `vacate`

occupy: enter(ray)
        repeat 4, d
        save nb+d, near_##d
        endr
        sync
        repeat 4, d, 4
        save nb+d, near_##d
        endr
        save sliderw, f_sliderw
        save sliderb, f_sliderb
        ld [sq]
        st [near]
        st [near+1]
        st [near+4]
        st [near+5]
        look 0
        look 1
        look 4
        look 5
        sync
        between 0
        between 1
        between 4
        between 5
        ld [sq],y
        mark 0
        mark 1
        mark 2
        sync
        gather sliderw, deltaw
        sync
        gather sliderb, deltab
        sync
        ld [sq],y
        mark 3
        mark 4
        mark 5
        mark 6
        mark 7
        ld [deltaw]
        st [y,sliderw]
        ld [deltab]
        st [y,sliderb]
        ld [owns],x
        ld [x]
        xora [reach]
        ld hi(spread.bits),y
        jmp y,spread.bits
        st [x]
        stubs

        section restore in rom within=256

; -------------------------------------------------------------------------- unoccupy
; Takes `occupy` back.
;   in, out, uses as there
;   clocks: 135, and 45 as in `vacate`

unoccupy: enter(empty)
        sync
        call(vacate)
        sync
        repeat 8, d
        restore nb+d, near_##d
        endr
        restore sliderw, f_sliderw
        sync
        restore sliderb, f_sliderb
        leave(empty)
        stubs

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
near:   ds 6            ; a neighbour of the square, and the one across it
across  equ near+1
step    equ near+2      ; to the next square
bits    equ near+3      ; a direction
axis    equ near+4      ; column of neighbours
left.d  equ near+5      ; directions that are still to come
reach:  ds 1            ; directions in which the piece slides
prey:   ds 1            ; and the one it takes
keep:   ds 1            ; page that remembers what the square remembered

; Bits of the maps that change. They stand where the maps have their columns, so that
; `owns` and `opps` are pointers to them too.
        section deltas in zero
        org sliderw
deltaw: ds 1
deltab: ds 1

; ---- what a square remembers while something stands on it --------------------------
; Here page and low byte change places: the page is the column of the square's cell, but
; for bit 7, which the machine does not look at, and the low byte is a frame's page.

        reserve kept, nb-$80, sliderb-$80, root, last+second

; Takes [sq] out of the rays along d. 10 words and clocks; AC, Y.
macro unlink(d)
        ld [sq],y
        ld [y,nb+d]
        st [near]
        ld [y,nb+(d^2)]
        st [across],y
        ld [near]
        st [y,nb+d]
        ld ac,y
        ld [across]
        st [y,nb+(d^2)]
endm

; Puts it back into them. 9 words and clocks; AC, Y.
macro relink(d)
        ld [sq],y
        ld [y,nb+(d^2)]
        st [near]
        ld [y,nb+d]
        ld ac,y
        ld [sq]
        st [y,nb+(d^2)]
        ld [near],y
        st [y,nb+d]
endm

        section rays in rom within=256

; -------------------------------------------------------- vacate, unvacate, unoccupy
; The piece on [sq] goes, or comes back. The square remembers its neighbours and who
; attacked it, and its neighbours have each other or the square: the same bits change.
; What came by `occupy` goes by `unoccupy`: the square gets back what it remembered.
;   in   sq; reach: where the piece slides; owns: map of its colour; keep, for `unoccupy`
;   out  rays and maps of sliders without it, or with it
;   uses AC, X, Y, near, deltaw, deltab
;   clocks: 70, and 23 for each direction where attacks change; `unoccupy` 45 more

unoccupy: ld low(restore)
        st [ray.low]
        ld hi(restore)
        bra vacate.in
        st [ray.page]           ; (slot)
vacate: enter(ray)
.in:    sync
        unlink 0
        unlink 1
        unlink 4
        sync
        unlink 5
        bra unvacate.linked
        ld [sq],y               ; (slot)

unvacate: enter(ray)
        sync
        relink 0
        relink 1
        relink 4
        sync
        relink 5
        ld [sq],y
.linked: ld [y,sliderw]
        st [deltaw]
        ld [y,sliderb]
        st [deltab]
        ld [owns],x
        ld [x]
        xora [reach]
        bra spread
        st [x]                  ; (slot)

; -------------------------------------------------------------------------- exchange
; On [sq] a piece of another colour takes the place of one, or the other way round.
;   in   sq; reach: where our piece slides; prey: where theirs does; owns, opps
;   out  maps of sliders
;   uses as vacate
;   clocks: 25, and 23 for each direction where attacks change

exchange: enter(ray)
        ld [owns],x
        ld [reach]
        st [x]
        ld [opps],x
        ld [prey]
        st [x]

; ---------------------------------------------------------------------------- spread
; Changes the attackers at the neighbours of [sq].
;   in   sq, deltaw, deltab

spread: ld [deltaw]
        ora [deltab]
        beq .done
        st [left.d]             ; (slot)
.each:  sync
        ld [left.d],x
        ld strip,y
        ld [y,x]
        xora [left.d]
        st [bits]               ; the lowest direction
        ld dircol,y
        ld [y,x]
        xora 2,x                ; who comes from there stands across
        ld [sq],y
        ld [y,x]
        ld ac,y
        ld [deltaw]
        anda [bits]
        xora [y,sliderw]
        st [y,sliderw]
        ld [deltab]
        anda [bits]
        xora [y,sliderb]
        st [y,sliderb]
        ld [left.d]
        xora [bits]
        bne .each
        st [left.d]             ; (slot)
.done:  leave(ray)

; Behind `unoccupy`: the square gets back what it remembered. Goes on at `go.left`, the
; only place that comes here.
restore: sync
        ld [keep],x
        repeat 7, d
        ld nb+d,y
        ld [y,x]
        ld [sq],y
        st [y,nb+d]
        endr
        sync
        ld [keep],x
        ld nb+7,y
        ld [y,x]
        ld [sq],y
        st [y,nb+7]
        ld sliderw,y
        ld [y,x]
        ld [sq],y
        st [y,sliderw]
        ld sliderb,y
        ld [y,x]
        ld [sq],y
        st [y,sliderb]
        goto go.left
        stubs

        section squares in rom within=256

; ---------------------------------------------------------------------------- occupy
; A piece comes to the empty square [sq].
;   in   sq, reach, owns; keep: page for what the square remembered
;   out  rays and maps of sliders with it
;   uses as vacate
;   clocks: 420, and 7 for each empty square looked at

occupy: enter(ray)
        sync
        ld [keep],x
        ld [sq],y
        ld [y,sliderw]
        ld sliderw,y
        st [y,x]
        ld [sq],y
        ld [y,sliderb]
        ld sliderb,y
        st [y,x]
        ld [opps],x
        ld 0
        st [x]
        ld [owns],x
        ld [reach]
        st [x]
        ld nb
.each:  st [axis]
        sync
        ld [axis]
        suba nb-first.d,y
        ld [y,dirbit]
        st [bits]
        ld [y,stepof]
        st [step]
        ld [sq]
.look:  adda [step]             ; the next square with something on it
        st [near],y
        ld [y,board]
        bne .found
        nop
        sync
        bra .look
        ld [near]               ; (slot)
.found: ld [axis]
        xora 2,x
        ld [sq]
        st [y,x]
        sync
        ld [near],y
        ld [y,sliderw]          ; who comes here from across comes to [sq] now, and
        anda [bits]             ; what slides from [sq] comes here
        xora [deltaw]
        st [deltaw]
        anda [bits]
        xora [y,sliderw]
        st [y,sliderw]
        ld [y,sliderb]
        anda [bits]
        xora [deltab]
        st [deltab]
        anda [bits]
        xora [y,sliderb]
        st [y,sliderb]
        ld [axis],x
        ld [sq],y
        ld [y,x]
        ld [axis],y
        ld [keep],x
        st [y,x]
        ld [axis],x
        ld [sq],y
        ld [near]
        st [y,x]
        ld [axis]
        suba nb+7
        bne .each
        adda nb+8               ; (slot)
        sync
        ld [owns],x
        ld [x]
        xora [reach]
        ld [sq],y
        st [y,x]
        ld [opps],x
        ld [x]
        st [y,x]
        leave(ray)
        stubs

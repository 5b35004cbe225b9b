; The test of the generator, in builds with HOST: counts the games of so many plies. Every
; move of the last ply is made, tested and taken back like all others: no counting of lists.

        column f_left, root, last       ; plies to go, the one of this frame counted

        section counting in zero
        org $ef
perft.page: ds 1
perft.low: ds 1
plies:  ds 1            ; on their way into the next frame

        section perft in rom within=256

; ----------------------------------------------------------------------------- perft
; Counts the leaves of the tree of legal moves.
;   in   depth (1 to 31), fp = root, a position that is set up; rules
;   out  count (4 bytes, low first); all tables as they were
;   uses AC, X, Y, its cells, visit, captured, quieted, frames, all cells of the generator,
;        make and unmake
;   clocks: 1,300 to 1,500 for each move, without the time of `sync`

perft:  enter perft
        sync
        ld [fp],y
        ld [depth]
        st [y,f_left]
        ld 0
        st [count]
        st [count + 1]
        st [count + 2]
        st [count + 3]
        ld hi(.visit)
        st [visit.page]
        st [quieted.page]
        ld low(.visit)
        st [visit.low]
        ld low(.up)
        st [quieted.low]
        ld hi(quiets)           ; behind the captures come the others
        st [captured.page]
        ld low(quiets)
        st [captured.low]
.node:  ld hi(captures),y
        jmp y,captures
        nop

; A move.
.visit: sync
        call(make)
.made:  sync
        ld [fp],y
        ld [y,f_left]
        suba 1
        st [plies]
        ld [exposed]
        bne .undo               ; into check: no move
        ld [plies]              ; (slot)
        beq .leaf
        ld [fp]                 ; (slot)
        adda 1
        st [fp],y
        ld [plies]
        bra .node
        st [y,f_left]           ; (slot)

; One more. A byte that becomes 0 carries to the next.
.leaf:  ld count
.carry: st [plies]
        sync
        ld [plies],x
        ld [x]
        adda 1
        st [x]
        bne .undo
        ld [plies]              ; (slot)
        bra .carry
        adda 1                  ; (slot)

.undo:
        call(unmake)
.unmade:
        sync
        ld hi(resume),y
        jmp y,resume
        nop

; All moves of a node are done.
.up:    sync
        ld [fp],y
        ld [depth]
        suba [y,f_left]
        beq .done               ; it was the first one
        ld [fp]                 ; (slot)
        suba 1
        bra .undo
        st [fp]                 ; (slot)
.done:  leave perft
        stubs

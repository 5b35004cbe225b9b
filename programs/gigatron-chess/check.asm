; Maps kept step by step against maps worked out anew
; ===================================================
;
; Only in builds with CHECK: `make` and `unmake` end here. The attack maps and
; neighbours are put aside, worked out from the board, compared, and put back, so that
; nothing changes but the cell `wrong`.

        section check_cells in zero
wrong:  ds 1            ; squares at which they differed, 255 at most
check.diff: ds 1

; What is put aside, by the same numbers as in map.asm.
        repeat 8, d
        column k_near##d, $08, $7f
        endr
        column k_sliderw, $08, $7f
        column k_sliderb, $08, $7f
        column k_leaperw, $08, $7f
        column k_leaperb, $08, $7f

; Copies a column of page [sq]. 2 words; Y = [sq].
macro aside(from, to)
        ld [y,from]
        st [y,to]
endm

; Collects in check.diff what differs. 4 words; Y = [sq].
macro differ(one, other)
        ld [y,one]
        xora [y,other]
        ora [check.diff]
        st [check.diff]
endm

; Goes on with `again` for the pages from $08 to $7F. 4 words.
macro each_page(again)
        ld [sq]
        adda 1
        bge again
        st [sq]
endm

        section check in rom within=256

; --------------------------------------------------------------------------- compare
; Counts the squares whose cells are not what `scratch` says.
;   in   all tables; comes by `jmp` in the place of `leave(make)`
;   out  wrong
;   uses AC, X, Y, sq sp t, the cells of scratch; clocks: about 70,000

compare: sync
        ld $08
        st [sq]
.save:  sync
        ld [sq],y
        repeat 8, d
        aside nb+d, k_near##d
        endr
        aside sliderw, k_sliderw
        aside sliderb, k_sliderb
        aside leaperw, k_leaperw
        aside leaperb, k_leaperb
        each_page .save
        sync
        call(scratch)
        sync
        ld $08
        st [sq]
.page:  sync
        ld 0
        st [check.diff]
        ld [sq],y
        differ leaperw, k_leaperw
        differ leaperb, k_leaperb
        ld [sq]
        suba a1-north           ; below the ring, and its corners, nothing else holds
        blt .count
        suba h8+north-a1+north
        bgt .count
        ld [y,board]
        beq .count              ; nor where nothing stands
        nop
        sync
        ld [sq],y
        repeat 4, d
        differ nb+d, k_near##d
        endr
        differ sliderw, k_sliderw
        differ sliderb, k_sliderb
        sync
        ld [sq],y
        repeat 4, d, 4
        differ nb+d, k_near##d
        endr
.count: sync
        ld [check.diff]
        beq .right
        ld [wrong]
        adda 1
        beq .right
        nop
        st [wrong]
.right: each_page .page
        ld $08
        st [sq]
.back:  sync
        ld [sq],y
        repeat 8, d
        aside k_near##d, nb+d
        endr
        aside k_sliderw, sliderw
        aside k_sliderb, sliderb
        aside k_leaperw, leaperw
        aside k_leaperb, leaperb
        each_page .back
        leave(make)
        stubs

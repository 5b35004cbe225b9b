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
        st [sq]                 ; (slot)
endm

; Cells of rays.asm and make.asm, which are not at work meanwhile.
scratch.low equ ray.low
scratch.page equ ray.page
scratch.d equ near      ; 8 + direction
scratch.step equ near+1
scratch.t equ near+2
scratch.at equ near+3   ; a square
scratch.map equ near+4  ; column of the side's sliders

        section scratch in rom within=256

; --------------------------------------------------------------------------- scratch
; Works out neighbours and attack maps from the board.
;   in   board; kind, slides and bit of the pieces
;   out  nb of occupied squares and guards, sliderw and sliderb there; leaperw and
;        leaperb everywhere
;   uses AC, X, Y, sq sp t, its own cells and those of leap
;   clocks: 13,000 to 19,000 without the time of `sync`

scratch: enter(scratch)
        ld $08
        st [sq]
.clear: sync
        ld [sq],y
        ld 0
        st [y,leaperw]
        st [y,leaperb]
        ld [y,board]
        beq .blank              ; empty squares keep what they have
        ld 0                    ; (slot)
        st [y,sliderw]
        st [y,sliderb]
.blank: ld [sq]
        adda 1
        bge .clear
        st [sq]                 ; (slot)

; Neighbours, of the squares and the ring of guards round them.
        ld a1-north-east
.from:  st [sq]
        sync
        ld [sq],y
        ld [y,board]
        beq .next
        ld first.d              ; (slot)
.turn:  st [scratch.d]
        ld [scratch.d],y
        ld [y,stepof]
        st [scratch.step]
        ld [sq]
.ray:   st [scratch.t]          ; a guard's way off the ring ends somewhere too
        sync
        ld [scratch.t]
        adda [scratch.step]
        st [scratch.t],y
        ld [y,board]
        beq .ray
        ld [scratch.t]          ; (slot)
        ld [scratch.d]
        adda low(nb-first.d),x
        ld [sq],y
        ld [scratch.t]
        st [y,x]
        ld [scratch.d]
        suba first.d+7
        bne .turn
        adda first.d+8          ; (slot)
.next:  ld [sq]
        suba h8+north+east
        bne .from
        adda h8+north+east+1    ; (slot)

; What the pieces attack.
        ld a1
.piece: st [scratch.at]
        sync
        ld [scratch.at]
        st [sq],y
        ld [y,board]
        ble .after
        st [sp],y               ; (slot)
        ld [y,slides]
        bne .slider
        ld hi(.after)           ; (slot)
        st [return]
        ld hi(leap),y
        jmp y,leap
        ld low(.after)          ; (slot)
.slider: ld [sp]
        anda 1
        adda sliderw
        st [scratch.map]
        ld first.d
.dir:   st [scratch.d]
        sync
        ld [sp],y
        ld [y,slides]
        ld [scratch.d],y
        anda [y,dirbit]
        st [scratch.t]
        ld [scratch.d]
        adda low(nb-first.d),x
        ld [sq],y
        ld [y,x]
        ld [scratch.map],x
        st [scratch.step],y
        ld [y,x]
        ora [scratch.t]
        st [y,x]
        ld [scratch.d]
        suba first.d+7
        bne .dir
        adda first.d+8          ; (slot)
.after: sync
        ld [scratch.at]
        suba h8
        bne .piece
        adda h8+1               ; (slot)
        leave(scratch)
        stubs

        section check in rom within=256

; --------------------------------------------------------------------------- compare
; Counts the squares whose cells are not what `scratch` says.
;   in   all tables; comes by `jmp` in the place of `leave(make)`
;   out  wrong
;   uses AC, X, Y, sq sp t, the cells of scratch
;   clocks: 25,000 to 32,000, `scratch` among them

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
        suba h8+north-a1+north  ; (slot)
        bgt .count
        ld [y,board]            ; (slot)
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
        ld [wrong]              ; (slot)
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

; Positions: set up, worked out anew, written out
; ===============================================
;
; `setup` gives each piece of the column `code` a slot, `scratch` works out neighbours
; and attack maps from the board, `encode` writes the board back into `code`. They do
; from the board what `make` and `unmake` do in steps.

; ---- cells shared with make.asm ----------------------------------------------------

        section position_cells in zero
sq:     ds 1            ; a square
sp:     ds 1            ; a slot, that is a piece
t:      ds 1
freesl: ds 2            ; first free slot of sliders, of white and of black
freekn: ds 2            ; and of knights
exposed: ds 1           ; not 0: the king of the side that moved can be taken

; The end of a list is page $80, and the machine takes that for page 0: what is stored
; as the predecessor of the end comes here.
        section listend in zero
        org prev
        ds 1

; ---- cells of this file ------------------------------------------------------------

; They are cells of make.asm, which is not at work meanwhile.
setup.low equ make.low
setup.page equ make.page
setup.colour equ from   ; 0 white, 1 black
setup.eight equ to      ; and its bit in `code`
setup.head equ flag     ; first of the list so far
setup.want equ man      ; a code
setup.again equ near    ; 0 in the first pass, 1 in the second
scratch.low equ ray.low
scratch.page equ ray.page
scratch.d equ near      ; 8 + direction
scratch.step equ near+1
scratch.t equ near+2
scratch.at equ near+3   ; a square
scratch.map equ near+4  ; column of the side's sliders
encode.low equ ray.low
encode.page equ ray.page

; Puts slot [sp] on square [sq] as kind AC. 12 words and clocks; AC, Y = [sp].
macro place()
        ld [sp],y
        st [y,kind]
        adda first.k,y
        ld [y,slidesof]
        ld [sp],y
        st [y,slides]
        ld [sp]
        ld [sq],y
        st [y,board]
        ld [sp],y
        ld [sq]
        st [y,loc]
endm

        section setup in rom within=256

; ----------------------------------------------------------------------------- setup
; From a position as people give it makes all that the engine needs. Each piece gets a
; slot of its kind, if there is one, or else one of the same sort (slider or knight)
; that is left; a piece that finds none is left out.
;   in   code, side, rights, ep
;   out  board, lists of pieces and of free slots, neighbours, maps, owns opps ownl
;        oppl; fp = root
;   uses AC, X, Y, sq sp t, the cells of setup and scratch
;   clocks: 60,000 to 90,000 without the time of `sync`

setup:  enter(setup)
        ld $08
.clear: st [sq]
        sync
        ld [sq],y
        ld [y,code]
        anda guard
        st [y,board]
        ld [sq]
        suba $7f
        bne .clear
        adda $80
        ld 0
.side:  st [setup.colour]
        sync
        ld [setup.colour]
        adda ac
        adda ac
        adda ac
        st [setup.eight]
        ld [setup.colour]
        adda freesl,x
        ld none
        st [x]
        st [setup.head]
        ld [setup.colour]
        adda freekn,x
        ld none
        st [x]

; Slots from the lowest value up, so that each goes to the head of its list: first the
; pieces of their own kind, then, for those that found none, and the king, the rest.
        ld 0
        st [setup.again]
        ld $7c
.pass:  adda [setup.colour]
        st [sp]
.slot:  sync
        ld [sp],y
        ld [y,class]
        beq .last
        ora [setup.eight]
        st [setup.want]
        ld [setup.again]
        beq .first
        ld [y,kind]
        bne .last
        ld [sp]
        suba king+2
        blt .try
        ld 6
        ld [y,class]
        anda 7
        suba 2
        beq .try
        ld 2
        ld 5                    ; sliders: queens, rooks, bishops
.try:   ora [setup.eight]
        bra .search
        st [setup.want]
.first: ld 0
        st [y,kind]             ; nobody yet
.search: ld a1
.look:  st [sq]
        sync
        ld [sq],y
        ld [y,code]
        xora [setup.want]
        bne .on
        ld [sq]
        ld [y,board]            ; another slot may have taken it
        beq .found
        ld [sq]
.on:    suba h8
        bne .look
        adda h8+1
        sync                    ; nobody for this slot
        ld [setup.again]
        beq .last
        ld [setup.want]
        anda 7
        suba 3
        bgt .less               ; a slider: the next kind
        nop
        beq .free
        ld freesl
        ld freekn
.free:  adda [setup.colour],x   ; the slot in front of the list of free ones
        ld [sp],y
        ld [x]
        st [y,next]
        ld [sp]
        st [x]
        ld 0                    ; all else as a promotion taken back leaves it
        st [y,slides]
        st [y,loc]
        bra .last
        st [y,prev]
.less:  ld [setup.want]
        suba 1
        bra .search
        st [setup.want]
.found: sync
        ld [setup.want]
        anda 7
        place()
        ld [setup.head]
        st [y,next]
        st [t],y                ; (the end of a list: into the cell above)
        ld [sp]
        st [y,prev]
        st [setup.head]
.last:  sync
        ld [sp]
        suba 2
        st [sp]
        suba king+2             ; the king comes last, in the second pass
        adda [setup.again]
        adda [setup.again]
        bge .slot
        nop
        ld [setup.again]
        xora 1
        st [setup.again]
        beq .other
        ld king
        ora [setup.colour],y
        ld 0
        st [y,kind]
        bra .pass
        ld $3c
.other: ld [setup.colour]
        beq .side
        ld 1
        ld hi(setup.end),y
        jmp y,setup.end
        nop
        stubs

        section scratch in rom within=256

setup.end: sync
        ld [side]
        adda sliderw
        st [owns]
        xora 1
        st [opps]
        xora sliderw^leaperw
        st [oppl]
        xora 1
        st [ownl]
        ld root
        st [fp]
        ld [setup.page]         ; and on, as if called from there
        st [return]
        ld [setup.low]

; --------------------------------------------------------------------------- scratch
; Works out neighbours and attack maps from the board.
;   in   board; kind, slides and bit of the pieces
;   out  nb of occupied squares and guards, sliderw and sliderb there; leaperw and
;        leaperb everywhere
;   uses AC, X, Y, sq sp t, its own cells and those of leap
;   clocks: 14,000 to 19,000 without the time of `sync`

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
        ld 0
        st [y,sliderw]
        st [y,sliderb]
.blank: ld [sq]
        adda 1
        bge .clear
        st [sq]

; Neighbours, of the squares and the ring of guards round them.
        ld a1-north-east
.from:  st [sq]
        sync
        ld [sq],y
        ld [y,board]
        beq .next
        ld first.d
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
        ld [scratch.t]
        ld [scratch.d]
        adda low(nb-first.d),x
        ld [sq],y
        ld [scratch.t]
        st [y,x]
        ld [scratch.d]
        suba first.d+7
        bne .turn
        adda first.d+8
.next:  ld [sq]
        suba h8+north+east
        bne .from
        adda h8+north+east+1

; What the pieces attack.
        ld a1
.piece: st [scratch.at]
        sync
        ld [scratch.at]
        st [sq],y
        ld [y,board]
        ble .after
        st [sp],y
        ld [y,slides]
        bne .slider
        ld hi(.after)
        st [return]
        ld hi(leap),y
        jmp y,leap
        ld low(.after)
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
        adda first.d+8
.after: sync
        ld [scratch.at]
        suba h8
        bne .piece
        adda h8+1
        leave(scratch)

; ---------------------------------------------------------------------------- encode
; Writes the board into the column `code`.
;   in   board, kind
;   out  code
;   uses AC, Y, sq t; clocks: 1,400 without the time of `sync`

encode: enter(encode)
        ld $08
.each:  st [sq]
        sync
        ld [sq],y
        ld [y,board]
        ble .same               ; empty or a guard: the same number
        nop
        st [t],y
        anda 1
        beq .white
        ld [y,kind]
        adda 8
.white: ld [sq],y
.same:  st [y,code]
        ld [sq]
        adda 1
        bge .each
        nop
        leave(encode)
        stubs

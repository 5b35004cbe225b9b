; Positions: set up, and written out
; ==================================
;
; `setup` gives each piece on the board a slot and works out lists, neighbours and attack
; maps, which `make` and `unmake` change in steps.

; ---- cells shared with make.asm ----------------------------------------------------

        section position_cells in zero
sq:     ds 1            ; a square
sp:     ds 1            ; a slot, that is a piece
t:      ds 1            ; a byte on the way
exposed: ds 1           ; not 0: the king of the side that moved can be taken
spares: ds 1            ; less than 0 if a slider may be without a bit
spot:   ds 1            ; square a move goes to; of all squares, the first is a1
        assert spot == a1, "`spot` stands at its number"

; The end of a list is page $80, and the machine takes that for page 0: what is stored
; as the predecessor of the end comes here,
        section listend in zero
        org prev
        ds 1
; and so does the first of a list as the end's successor.
        section listhead in zero
        org next
head:   ds 1

; ---- cells of this file ------------------------------------------------------------

; These two are cells of make.asm, which is not at work meanwhile.
setup.low equ make.low
setup.page equ make.page
; What addresses depend on shares no cell with others, so that their range is proven.
        section setup_cells in zero
setup.colour: ds 1      ; 0 white, 1 black
setup.want: ds 1        ; a code
setup.kind: ds 1        ; and its kind

; `follows` has the next free slot by kind and colour: two of them stay, as lists of free
; slots.
        assert freekn == follows + 4 && freesl == follows + 10, "free slots by kind"

        section squares in rom within=256     ; `occupy` is in this page too

; ----------------------------------------------------------------------------- setup
; From a position as people give it, or from one that it has set up before, it makes all
; that the engine needs. Sliders share slots, the cheapest come first; so do knights;
; pawns have slots of their own. A piece that finds none is left out.
;   in   board: codes, pieces with their kind, or both; side, rights, ep
;   out  code, board, lists of pieces and of free slots, neighbours, maps, army, spares,
;        owns opps ownl oppl; fp = root
;   uses AC, X, Y, sq sp t, head, follows, its cells and those of strike, vacate and
;        exchange
;   clocks: 22,000 to 25,000 without the time of `sync`

setup:  enter(setup)
        st 256 - many,[army]
        ld $08
        st [sq]
.each:  sync
        ld [sq],y
        ld [y,board]
        st [t]
        anda $70
        beq .code               ; a code as it is, or a guard
        ld [t]                  ; (slot)
        ld ac,y                 ; a piece
        anda 1
        beq .white
        adda [y,kind]           ; (slot)
        adda 7
.white: ld [sq],y
.code:  st [y,code]
        anda guard
        st [y,board]
        ld [sq]
        adda 1
        bge .each
        st [sq]                 ; (slot)

; Nobody attacks, and slots are free: each is linked to the one that will be free next.
; All squares see those beside them, as if there were no empty ones.
        ld $08
.free:  st [sq]
        sync
        ld [sq],y
        ld 0
        st [y,kind]
        st [y,slides]
        st [y,loc]
        st [y,prev]
        st [y,leaperw]
        st [y,leaperb]
        st [y,sliderw]
        st [y,sliderb]
        ld [sq]
        adda 8
        st [y,next]
        sync
        ld [sq],y
        ld nb,x
        ld [sq]
        adda step0
        st [y,x++]
        adda step1-step0
        st [y,x++]
        adda step2-step1
        st [y,x++]
        adda step3-step2
        st [y,x++]
        adda step4-step3
        st [y,x++]
        adda step5-step4
        st [y,x++]
        adda step6-step5
        st [y,x++]
        adda step7-step6
        st [y,x++]
        ld [sq]
        suba $7f
        bne .free
        adda $80                ; (slot)
        ld 0                    ; what goes slides nowhere: squares that are empty
        st [reach]
        ld [side]
        ld hi(.side),y
        jmp y,.side
        st [setup.colour]       ; (slot)

        section pieces in rom within=256

; The pieces of a colour, `opps`; first those of the side to move.
.side:  sync
        ld [setup.colour]
        adda sliderw
        st [opps]
        xora 1
        st [owns]
        xora sliderw^leaperw
        st [ownl]
        xora 1
        st [oppl]
        ld none
        st [head]
        ld [setup.colour]
        adda ac
        adda ac
        adda ac

; Of a kind, from the pawns on, so that the list falls in value. Before white's pawns
; empty squares are wanted.
.sort:  st [setup.want]
        anda 7
        st [setup.kind]
        adda low(.first)
        bra ac                  ; one word of the list: the first slot,
        slot bra .slot          ; and from there
.first: ld king
        ld pawn1
        ld knight1
        ld slider1
        ld [sp]                 ; rooks and queens go on behind bishops
        ld [sp]
        ld king
.slot:  ora [setup.colour]
        st [sp]
        ld a1
.look:  st [sq]
        sync
        ld [sq],y
        ld [y,code]
        xora [setup.want]
        bne .on
        ld [setup.kind]         ; (slot)
        beq .empty
        ld [sp]                 ; (slot)
        blt .empty              ; no slot is left
        nop
        sync
        ld [sq],y
        ld [sp]
        st [y,board]
        ld [sp],y
        ld [sq]
        st [y,loc]
        ld none                 ; it is put before the first of its list
        st [y,prev]
        ld [head]
        st [y,next]
        ld [army]
        adda [setup.kind]
        st [army]
        ld [sp],y
        ld [setup.kind]
        st [y,kind]
        adda first.k,y
        ld [y,slidesof]
        ld [sp],y
        st [y,slides]
        call(strike)
        sync
        ld [sp]
        adda 8
        st [sp]
        ld hi(.on)              ; its attacks as a slider, as if it took nothing
        st [return]
        ld hi(exchange),y
        jmp y,exchange
        ld low(.on)             ; (slot)
.empty: ld hi(.on)              ; the squares beside it see across it
        st [return]
        ld hi(vacate),y
        jmp y,vacate
        ld low(.on)             ; (slot)
.on:    sync
        ld [sq]
        suba h8
        bne .look
        adda h8+1               ; (slot)
        sync
        ld [setup.want]
        anda 7
        xora 6
        beq .all
        xora 6                  ; (slot) what is left of the slots
        adda ac
        adda [setup.colour]
        adda low(follows),x
        ld [sp]
        st [x]
        ld [setup.want]
        bra .sort
        adda 1                  ; (slot)
.all:   ld [setup.colour]
        xora 1
        st [setup.colour]
        xora [side]
        bne .side
        st root,[fp]            ; (slot)
        ld [freesl]             ; less than 0 if six slots are taken
        adda $80 - slider1 - 8 * 6
        st [spares]
        ld [freesl + 1]
        adda $80 - slider1 - 8 * 6
        ora [spares]
        st [spares]
        leave(setup)
        stubs

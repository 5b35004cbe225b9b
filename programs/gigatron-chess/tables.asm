; The tables that never change
; ============================
;
; Full pages stand for what the machine cannot do: the lowest bit of a set, its piece
; or direction, the carry of an addition. Columns tell of squares, slots of pieces,
; directions and kinds.

; ---- indexed by piece --------------------------------------------------------------

        column class, $10, $7f          ; kind that the slot is there for, 0 if none
spare   equ $40                         ; and in a spare one
        cells class, king, 6
        cells class, $12, 5             ; queen
        cells class, $14, spare+5
        cells class, $16, spare+5
        cells class, $18, spare+5
        cells class, $1a, 4             ; rooks
        cells class, $1c, 4
        cells class, $30, spare+2
        cells class, $32, spare+2
        cells class, $34, 3             ; bishops
        cells class, $38, 3
        cells class, $3a, 2             ; knights
        cells class, $3c, 2
        cells class, $5e, 1             ; the first pawn; the others fill the end

; ---- indexed by square: castling rights that survive -------------------------------

        cells rmask, a1, 15-2
        cells rmask, a1+4, 15-1-2
        cells rmask, a1+7, 15-1
        cells rmask, h8-7, 15-8
        cells rmask, h8-3, 15-4-8
        cells rmask, h8, 15-4

; ---- indexed by 8 + direction ------------------------------------------------------

first.d equ $08
        column stepof, first.d, first.d+7       ; step to the next square
        column dirbit, first.d, first.d+7       ; its bit
        column lowleap, first.d, first.d+7      ; white pieces by bits, for `leapidx`
        column lowslide, first.d, first.d+7     ; and `slidx`; 0 none

step0   equ north
step1   equ east
step2   equ -north
step3   equ -east
step4   equ north+east
step5   equ east-north
step6   equ -north-east
step7   equ north-east
        cells stepof, first.d, step0, step1, low(step2), low(step3)
        cells stepof, first.d+4, step4, low(step5), low(step6), step7
        cells lowleap, first.d, 0, 0, $3c, $3a, $32, $30, king, 0
        cells lowslide, first.d, $38, $34, $1c, $1a, $12, $14, $16, $18

; ---- indexed by 8 + kind -----------------------------------------------------------

first.k equ $08
        column slidesof, first.k+1, first.k+6   ; directions in which it slides
        cells slidesof, first.k+1, 0, 0, $f0, $0f, $ff, 0

; Cells of make.asm, which is not at work yet.
tables.low equ ray.low
tables.page equ ray.page
tables.i equ near       ; a byte that counts
tables.d equ near+1     ; 8 + direction
tables.member equ near+2 ; its bit and what goes with it
tables.leap equ near+3
tables.slide equ near+4
tables.col equ near+5

        section tables in rom within=256

; ---------------------------------------------------------------------------- tables
; Fills the full pages and the columns above. At boot: without `sync`.
;   out  strip leapidx slidx dircol norm carry bit class rmask stepof dirbit lowleap
;        lowslide slidesof
;   uses AC, X, Y
;   clocks: about 40,000

tables: enter(tables)
        ld $10                  ; columns: what holds for most
.most:  st [tables.i],y
        suba $70
        blt .piece
        ld 0
        ld 1                    ; pawns at the end
.piece: st [y,class]
        ld 0
        st [y,bit]
        ld 15
        st [y,rmask]
        ld [tables.i]
        suba $7f
        bne .most
        adda $80
        initialise              ; and the rest, of white
        ld $10
.pair:  st [tables.i],y         ; black is the same
        ld [y,class]
        st [tables.member]
        ld [tables.i]
        ora 1
        st [tables.i],y
        ld [tables.member]
        st [y,class]
        ld [tables.i]
        suba $7f
        bne .pair
        adda $80

        ld 0                    ; full pages
.each:  st [tables.i],x
        ld strip,y
        suba 1
        anda [tables.i]
        st [y,x]
        ld norm,y               ; -64 … 63
        ld [tables.i]
        adda 64
        anda 127
        suba 64
        st [y,x]
        ld carry,y
        ld [tables.i]           ; with its sign: -1, 0 or 1
        blt .minus
        suba 64                 ; 64 and more
        bge .store
        ld 1
        bra .store
        ld 0
.minus: blt .store              ; -64 and more, 64 less: still negative
        ld 0
        ld -1
.store: st [y,x]
        ld 0                    ; the empty set has no lowest member
        ld leapidx,y
        st [y,x]
        ld slidx,y
        st [y,x]
        ld dircol,y
        st [y,x]
        ld [tables.i]
        adda 1
        bne .each
        nop

        ld 1                    ; members of sets
        st [tables.member]
        ld first.d
.bit:   st [tables.d],y
        xora 2                  ; who comes in a direction stands in the other one
        adda low(nb-first.d)
        st [tables.col]
        ld [tables.member]
        st [y,dirbit]
        ld [y,lowslide]
        st [tables.slide]
        ld [y,lowleap]
        st [tables.leap]
        beq .slider
        ld [tables.leap],y
        ld [tables.member]
        st [y,bit]
        ld [tables.leap]
        ora 1
        st [tables.i],y
        ld [tables.member]
        st [y,bit]
.slider: ld [tables.slide],y
        ld [tables.member]
        st [y,bit]
        ld [tables.slide]
        ora 1
        st [tables.i],y
        ld [tables.member]
        st [y,bit]
        ld 0
.sets:    st [tables.i],x
        ld strip,y
        xora [y,x]              ; its lowest member
        xora [tables.member]
        bne .not
        ld leapidx,y
        ld [tables.leap]
        st [y,x]
        ld slidx,y
        ld [tables.slide]
        st [y,x]
        ld dircol,y
        ld [tables.col]
        st [y,x]
.not:   ld [tables.i]
        adda 1
        bne .sets
        nop
        ld [tables.member]
        adda ac
        st [tables.member]
        ld [tables.d]
        suba first.d+7
        bne .bit
        adda first.d+8
        call(steps)             ; what the generator needs
        leave(tables)

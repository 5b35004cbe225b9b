; The tables that never change
; ============================
;
; Full pages stand for what the machine cannot do: the lowest bit of a set, its piece
; or direction, the carry of an addition. Columns tell of squares, slots of pieces,
; directions and kinds.

; ---- indexed by piece --------------------------------------------------------------

        column class, $10, $7f          ; kind that the slot is there for, 0 if none
spare   equ $40                         ; and in a spare one

; ---- indexed by square: castling rights that survive -------------------------------

        cells rmask, a1, 15-2
        cells rmask, a1+4, 15-1-2
        cells rmask, a1+7, 15-1
        cells rmask, h8-7, 15-8
        cells rmask, h8-3, 15-4-8
        cells rmask, h8, 15-4

; ---- one column, filled from a list ------------------------------------------------

first.d equ $08                         ; 8 + direction:
        column stepof, first.d, first.d+45      ; step to the next square
        column dirbit, first.d, first.d+7       ; its bit
slides.d equ first.d+8                  ; + number of a bit of a slider set, and 8 more for
                                        ; a leaper set: its white slot, 0 none;
classes equ 16                          ; and so many pages behind it the slot's class
first.k equ first.d+39                  ; + kind: directions in which it slides
slidesof equ stepof

step0   equ north
step1   equ east
step2   equ -north
step3   equ -east
step4   equ north+east
step5   equ east-north
step6   equ -north-east
step7   equ north-east

; Cells of make.asm, which is not at work yet.
tables.low equ ray.low
tables.page equ ray.page
tables.i equ near       ; a byte that counts
tables.d equ near+1     ; place in the list
tables.member equ near+2 ; its bit and what goes with it
tables.slot equ near+3
tables.class equ near+4
tables.col equ near+5
tables.target equ near+6

        section tables in rom within=256

; ---------------------------------------------------------------------------- tables
; Fills the full pages and the columns above. At boot: without `sync`.
;   out  strip leapidx slidx dircol norm carry bit class rmask stepof dirbit slidesof
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
        ld 1
        ld $5e,y                ; but for the first, which stands apart
        st [y,class]
        ld $5f,y
        st [y,class]
        initialise
        ld first.d
.item:  st [tables.i],y         ; the list: one word of it,
        adda low(.list)-first.d
        bra ac
        slot bra .stored    ; and from there
.list:  ld step0
        ld step1
        ld step2
        ld step3
        ld step4
        ld step5
        ld step6
        ld step7
        ld $38                  ; sliders
        ld $34
        ld $1c
        ld $1a
        ld $12
        ld $14
        ld $16
        ld $18
        ld 0                    ; leapers
        ld 0
        ld $3c
        ld $3a
        ld $32
        ld $30
        ld king
        ld 0
        ld 3                    ; what they are
        ld 3
        ld 4
        ld 4
        ld 5
        ld spare+5
        ld spare+5
        ld spare+5
        ld 0
        ld 0
        ld 2
        ld 2
        ld spare+2
        ld spare+2
        ld 6
        ld 0
        ld 0                    ; pawns, knights, bishops, rooks, queens, kings
        ld 0
        ld $f0
        ld $0f
        ld $ff
        ld 0
.stored: st [y,stepof]
        ld [tables.i]
        suba first.d+45
        bne .item
        adda first.d+46

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
        ld [tables.i]
        adda 64
        bge .store              ; -64 … 63
        ld 0
        ld [tables.i]
        adda 76
        bge .store              ; -76 and more; all else is 64 to 179
        ld -1
        ld 1
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

        ld slidx                ; members of sets: sliders,
        st [tables.target]
        ld slides.d
.group: st [tables.d]
        ld 1
.bit:   st [tables.member]
        ld [tables.d]
        anda 7
        ora first.d,y
        xora 2                  ; who comes in a direction stands in the other one
        adda low(nb)
        st [tables.col]
        ld [tables.member]
        st [y,dirbit]
        ld [tables.d]
        adda classes,y
        ld [y,stepof]
        st [tables.class]
        ld [tables.d],y
        ld [y,stepof]
        beq .nobody
        st [tables.slot]
        ld [tables.slot],y
        ld [tables.member]
        st [y,bit]
        ld [tables.class]
        st [y,class]
        ld [tables.slot]        ; black is the same
        ora 1
        st [tables.i],y
        ld [tables.member]
        st [y,bit]
        ld [tables.class]
        st [y,class]
.nobody: ld 0
.sets:  st [tables.i],x
        ld strip,y
        xora [y,x]              ; its lowest member
        xora [tables.member]
        bne .not
        ld [tables.target],y
        ld [tables.slot]
        st [y,x]
        ld dircol,y
        ld [tables.col]
        st [y,x]
.not:   ld [tables.i]
        adda 1
        bne .sets
        nop
        ld [tables.d]
        adda 1
        st [tables.d]
        ld [tables.member]
        adda ac
        bne .bit
        nop
        ld leapidx              ; and leapers
        st [tables.target]
        ld [tables.d]
        suba slides.d+16
        bne .group
        adda slides.d+16
        call(steps)             ; what the generator needs
        leave(tables)

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

knights equ $08                         ; steps of a knight, one a page, 0 behind the last
classes equ knights + 8                 ; what the slots below are there for
queens  equ classes + 16                ; steps of queens and kings,
bishops equ queens + 4                  ; and of bishops
slots   equ queens + 8                  ; white slot of each bit of a set of leapers and of
                                        ; one of sliders, 0 none
rooks   equ slots + 16                  ; steps of a rook
first.k equ rooks + 4 - 1               ; + kind: directions in which it slides,
kinds   equ first.k + 6                 ; the place before its steps,
ways    equ kinds + 6                   ; and where its moves begin
        column hops, knights, ways + 6
first.d equ queens                      ; + direction: step to the next square,
        column dirbit, first.d-8, first.d+7     ; its bit
stepof  equ hops
slidesof equ hops

; A slot 0 would have its bit and class here.
        section nobody in zero
        org bit
        ds 1
        org class
        ds 1

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
tables.target equ near+5

        section tables in rom within=256

; ---------------------------------------------------------------------------- tables
; Fills the full pages and the columns above. At boot: without `sync`.
;   out  strip leapidx slidx dircol norm carry bit class rmask hops dirbit
;   uses AC, X, Y
;   clocks: about 25,000

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
        ld knights
.item:  st [tables.i],y         ; the list: one word of it,
        adda low(.list)-knights
        bra ac
        slot bra .stored    ; and from there
.list:  ld 8                    ; knights
        ld 12
        ld 19
        ld 21
        ld -8
        ld -12
        ld -19
        ld -21
        ld 0                    ; slots of leapers,
        ld 0
        ld 2
        ld 2
        ld spare+2
        ld spare+2
        ld 6
        ld 0
        ld 3                    ; and of sliders
        ld 3
        ld 4
        ld 4
        ld 5
        ld spare+5
        ld spare+5
        ld spare+5
        ld step0                ; queens
        ld step1
        ld step2
        ld step3
        ld step4
        ld step5
        ld step6
        ld step7
        ld 0                    ; leapers
        ld 0
        ld $3c
        ld $3a
        ld $32
        ld $30
        ld king
        ld 0
        ld $38                  ; sliders
        ld $34
        ld $1c
        ld $1a
        ld $12
        ld $14
        ld $16
        ld $18
        ld step0                ; rooks
        ld step1
        ld step2
        ld step3
        ld 0                    ; pawns, knights, bishops, rooks, queens, kings
        ld 0
        ld $f0
        ld $0f
        ld $ff
        ld 0
        ld slots-1              ; a pawn has none
        ld knights-1
        ld bishops-1
        ld rooks-1
        ld queens-1
        ld queens-1
        ld low(pawn)
        ld low(hop)
        ld low(slide)
        ld low(slide)
        ld low(slide)
        ld low(castling)
.stored: st [y,hops]
        ld [tables.i]
        suba ways+6
        bne .item
        adda ways+7

; Members of sets, first of leapers, then of sliders; their classes, for both colours.
; (What leapers leave in dirbit and dircol is wrong, but does not stay.)
        ld leapidx
        st [tables.target]
        ld slots
.group: st [tables.d]
        ld 1
.bit:   st [tables.member],x
        ld [tables.d]
        adda classes-slots,y
        ld [y,hops]
        st [tables.class]
        ld [tables.d],y
        ld [y,hops]
        ld [tables.target],y
        st [y,x]
        st [tables.slot],y
        ld [tables.member]
        st [y,bit]
        ld [tables.class]
        st [y,class]
        ld [tables.slot]        ; black is the same
        ora 1,y
        ld [tables.member]
        st [y,bit]
        ld [tables.class]
        st [y,class]
        ld [tables.d]
        adda first.d-8-slots,y
        ld [tables.member]
        st [y,dirbit]
        ld dircol,y
        ld [tables.d]
        adda low(nb-8-slots)
        xora 2                  ; who comes in a direction stands in the other one
        st [y,x]
        ld [tables.d]
        adda 1
        st [tables.d]
        ld [tables.member]
        adda ac
        bne .bit
        nop
        ld slidx
        st [tables.target]
        ld [tables.d]
        suba slots+16
        bne .group
        adda slots+16

; The full pages. What holds for a set's lowest member holds for the set.
        ld 0
.each:  st [tables.i],x
        ld strip,y
        suba 1
        anda [tables.i]
        st [y,x]
        xora [tables.i]
        st [tables.member]
        ld leapidx
.copy:  st [tables.d],y
        ld [tables.member],x
        ld [y,x]
        ld [tables.i],x
        st [y,x]
        ld [tables.d]
        suba dircol
        bne .copy
        adda dircol+1
        ld norm,y               ; -64 … 63
        ld [tables.i]
        adda 64
        anda 127
        suba 64
        st [y,x]
        xora [tables.i]         ; 0 or 128 too much or too little
        beq .store
        ld carry,y
        ld [tables.i]
        adda 76
        bge .store              ; -76 … -65; all else is 64 to 179
        ld -1
        ld 1
.store: st [y,x]
        ld [tables.i]
        adda 1
        bne .each
        nop
        leave(tables)

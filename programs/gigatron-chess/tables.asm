; The tables that never change
; ============================
;
; Full pages stand for what the machine cannot do: the lowest bit of a set, its piece
; or direction, the carry of an addition. Columns tell of squares, slots of pieces,
; directions and kinds.

; ---- one column, filled from a list ------------------------------------------------

knights equ $07                         ; steps of a knight, one a page, 0 behind the last
queens  equ knights + 9                 ; steps of queens and kings,
bishops equ queens + 4                  ; and of bishops
slots   equ queens + 9                  ; white slot of each bit of a set of leapers (of pawns
                                        ; $81 and a step to the side) and of one of sliders;
                                        ; eight pages apart, so that behind the last comes
                                        ; $80 or more
rooks   equ slots + 16                  ; steps of a rook
first.k equ rooks + 4 - 1               ; + kind: directions in which it slides,
kinds   equ first.k + 5                 ; the place before its steps, but for pawns,
ways    equ kinds + 7                   ; and where its moves begin, also of 0 and 7, which
                                        ; no piece has
        column hops, knights, ways + 7
first.d equ queens                      ; + direction: step to the next square,
        column dirbit, first.d-8, first.d+7     ; its bit
stepof  equ hops
slidesof equ hops

; What is no slot, 0 and $80, has its bit here (and in pages that are filled later).
        section nobody in zero
        org bit
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
tables.i equ near       ; a byte that counts
tables.d equ near+1     ; place in the list
tables.member equ near+2 ; a bit
tables.slot equ near+3  ; and its slot
tables.target equ near+4

        section tables in rom within=256

; ---------------------------------------------------------------------------- tables
; Fills the full pages and the columns above. At boot: without `sync`.
;   out  strip leapidx slidx dircol norm carry bit rmask hops dirbit; guards on the board
;   uses AC, X, Y
;   clocks: about 15,000

tables: st [tables.low]         ; (the page stays where it is)
        ld $7f                  ; columns: what holds for most
.most:  ld ac,y
        ld f_go,x               ; (read by a page that is not proven to be a ply)
        st 0,[y,x]
        ld bit,x
        st 0,[y,x++]
        st 15,[y,x++]           ; rmask,
        st guard,[y,x++]        ; code
        st guard,[y,x]          ; and board
        suba $08
        bne .most
        adda $07                ; (slot)
        ld rmask,x              ; kings and rooks
        ld a1,y
        st 15-2,[y,x]
        ld a1+4*east,y
        st 15-2-1,[y,x]
        ld a1+7*east,y
        st 15-1,[y,x]
        ld h8-7*east,y
        st 15-8,[y,x]
        ld h8-3*east,y
        st 15-8-4,[y,x]
        ld h8,y
        st 15-4,[y,x]
        ld hops,x               ; AC = $07, the first page
.item:  ld ac,y                 ; the list: one word of it,
        adda low(.list)-knights
        bra ac
        slot bra .stored        ; and from there
.list:
        st 8,[y,x]              ; knights
        st 12,[y,x]
        st 19,[y,x]
        st 21,[y,x]
        st -8,[y,x]
        st -12,[y,x]
        st -19,[y,x]
        st -21,[y,x]
        st 0,[y,x]
        st step0,[y,x]          ; queens
        st step1,[y,x]
        st step2,[y,x]
        st step3,[y,x]
        st step4,[y,x]
        st step5,[y,x]
        st step6,[y,x]
        st step7,[y,x]
        st 0,[y,x]
        st $82,[y,x]            ; slots of leapers
        st $80,[y,x]
        repeat 4, i
        st knight1 + 8 * i,[y,x]
        endr
        st king,[y,x]
        st knight1 + 8 * 4,[y,x]
        repeat 8, i             ; and of sliders
        st slider1 + 8 * i,[y,x]
        endr
        st step0,[y,x]          ; rooks
        st step1,[y,x]
        st step2,[y,x]
        st step3,[y,x]
        st 0,[y,x]              ; pawns, knights, bishops, rooks, queens, kings
        st 0,[y,x]
        st $f0,[y,x]
        st $0f,[y,x]
        st $ff,[y,x]
        st 0,[y,x]
        st knights-1,[y,x]      ; knights and so on
        st bishops-1,[y,x]
        st rooks-1,[y,x]
        st queens-1,[y,x]
        st queens-1,[y,x]
        st low(hop),[y,x]
        st low(pawn),[y,x]      ; pawns and so on
        st low(hop),[y,x]
        st low(slide),[y,x]
        st low(slide),[y,x]
        st low(slide),[y,x]
        st low(castling),[y,x]
        st low(hop),[y,x]
.stored: suba ways+7+low(.list)-knights
        bne .item
        adda ways+8             ; (slot)

; Members of sets, first of leapers, then of sliders, for both colours.
; (What leapers leave in dirbit and dircol is wrong, but does not stay.)
        ld leapidx
        st [tables.target]
        ld slots
.group: st [tables.d]
        ld 1
.bit:   st [tables.member],x
        ld [tables.d],y
        ld [y,hops]
        ld [tables.target],y
        st [y,x]
        st [tables.slot],y
        ld [tables.member]
        st [y,bit]
        ld [tables.slot]        ; black is the same
        ora 1,y
        ld [tables.member]
        st [y,bit]
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
        adda slots+16           ; (slot)

; The full pages. What holds for a set's lowest member holds for the set.
; (From slots + 16 round to there: it matters only that all have their turn.)
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
        adda dircol+1           ; (slot)
        ld norm,y               ; -64 … 63
        ld [tables.i]
        adda 64
        anda 127
        suba 64
        st [y,x]
        xora [tables.i]         ; 0 or 128 too much or too little
        beq .store
        ld carry,y              ; (slot)
        ld [tables.i]
        adda 76
        bge .store              ; -76 … -65; all else is 64 to 179
        ld -1                   ; (slot)
        ld 1
.store: st [y,x]
        ld [tables.i]
        suba slots+15
        bne .each
        adda slots+16           ; (slot)
        ld low(go.vacate)       ; what `go` does first, also before there was a move
        st [deed]
        ld low(go.made)
        ld [return],y
        jmp y,[tables.low]
        st [swapped]            ; (slot)

; What a position is worth: material, and the squares the pieces stand on.
;
; A score has two bytes. The low one is -64 to 63, the high one counts by 128; a pawn
; is 64. The machine has no carry, so a sum of low bytes is mended with two tables:
; `norm` has what stays, `carry` what the high byte gets.
;
; A score s stands for s + 64.5, so that the complement of both bytes is the score as
; the other side sees it: no table, and every score has its opposite. A draw is half
; a unit less than nothing for the side that has to move.
;
; What a piece is worth on a square is the byte in its column there; the high byte of
; all pieces of a kind is in the page `whole` of the column, which is no square. The
; column is `worthw` or `worthb` and the kind. All squares of a column have the same
; high byte, so a plain move changes the score by a difference of two bytes. The
; columns are filled before each search, since kings and pawns change their values
; when the pieces leave the board.

worthw  equ $b0
worthb  equ $b8                 ; one bit more
worthx  equ worthw ^ worthb     ; changes sides

        column worthw1, $08, $7f, worthw + 1
        column worthw2, $08, $7f, worthw + 2
        column worthw3, $08, $7f, worthw + 3
        column worthw4, $08, $7f, worthw + 4
        column worthw5, $08, $7f, worthw + 5
        column worthw6, $08, $7f, worthw + 6
        column worthb1, $08, $7f, worthb + 1
        column worthb2, $08, $7f, worthb + 2
        column worthb3, $08, $7f, worthb + 3
        column worthb4, $08, $7f, worthb + 4
        column worthb5, $08, $7f, worthb + 5
        column worthb6, $08, $7f, worthb + 6

whole   equ $08                 ; page of the high bytes
drawl   equ 63                  ; a draw
drawh   equ -1
inward  equ 2                   ; a rook's gain from a file nearer to the middle
many    equ 27                  ; sum of the kinds of all men but kings from which on
                                ; kings hide; 62 when all are there

        section values in zero
score.low:  ds 1        ; the score that is worked on
score.high: ds 1
mine:   ds 1            ; columns of the side to move: worthw or worthb
spot:   ds 1            ; square whose worth is added
heft:   ds 1            ; and what it is
gained: ds 1            ; where `gain` goes back to
named:  ds 1            ; a piece while lists are walked
assess.page: ds 1       ; where these routines go back to
assess.low: ds 1

; While the columns are filled nothing is searched, so these are cells of the search.
ending  equ source      ; below 0: kings come out
row1    equ special     ; first square of the rank
pace  equ moved       ; to the next rank
rank8   equ below       ; rank as the side sees it, 0 to 7
ranks   equ high.alpha  ; steps to the nearer end of the file, 0 to 3,
files   equ low.alpha   ; and of the rank
both    equ high.beta   ; their sum,
both4   equ low.beta    ; four times
middle  equ rest        ; and product
march   equ found.low   ; how much a pawn is ahead
throne  equ found.high  ; what the square is worth to a king

; The score as the other side sees it. 6 words and clocks; AC.
macro flip()
        ld [score.low]
        xora $ff
        st [score.low]
        ld [score.high]
        xora $ff
        st [score.high]
endm

        section evaluate in rom within=256

; Adds to the score what the column X holds for the square `spot`.
; In: X, spot, AC = place in this page to go on at. 19 words and clocks.
; Clobbers AC, X, Y, heft.
gain:   st [gained]
        ld [spot],y
        ld [y,x]
        st [heft]
        ld whole,y
        ld [y,x]
        adda [score.high]
        st [score.high]
        ld [score.low]
        adda [heft]
        ld ac,x
        ld norm,y
        ld [y,x]
        st [score.low]
        ld carry,y
        ld [y,x]
        adda [score.high]
        bra [gained]
        st [score.high]

; A move takes something. In: named = the victim, spot = its square, source, score =
; that before the move, mine, special = the move's flag. Goes on at `settle` with the
; victim's worth added. In quiescence a victim that is guarded and of a lower kind than
; what takes it is left alone.
captive:
        sync
        ld [spot],y
        ld [oppl],x
        ld [y,x]
        ld [opps],x
        ora [y,x]
        beq .worth
        ld [fp],y
        ld [y,f_depth]
        bgt .worth
        ld [source],y
        ld [y,board]
        ld ac,y
        ld [y,kind]
        ld [named],y
        suba [y,kind]
        ble .worth
        ld hi(resume),y
        jmp y,resume
        nop
.worth: sync
        ld [named],y
        ld [mine]
        xora worthx
        adda [y,kind]
        ld ac,x
        bra gain
        ld low(.added)
.added: ld [special]
        suba passing
        bge uncommon
        ld hi(settle),y
        jmp y,settle
        nop

; A move whose flag is `passing` or more. In: special = the flag, source and spot = its
; squares, score, moved = what the piece that moves gains on its new square. Goes on
; at `settle`.
uncommon:
        sync
        ld [special]
        suba castle
        bgt .promotion
        nop
        beq .castle
        ; The pawn that is taken in passing stands one rank back.
        ld [side]
        beq .white
        ld [spot]
        adda 2 * north
.white: suba north
        st [spot]
        sync
        ld [mine]
        xora worthx | 1
        ld ac,x
        bra gain
        ld low(.settle)
.settle:
        ld hi(settle),y
        jmp y,settle
        nop

        ; A rook jumps too, from the edge two or three files inward.
.castle:
        ld [spot]
        suba [source]
        bgt .short
        ld 2 * inward
        ld 3 * inward
.short: adda [moved]
        ld hi(settle),y
        jmp y,settle
        st [moved]

        ; The new piece comes where the pawn goes, the pawn leaves where it was.
.promotion:
        sync
        ld [mine]
        adda [special]
        suba promote
        ld ac,x
        bra gain
        ld low(.new)
.new:   sync
        flip
        ld [source]
        st [spot]
        ld [mine]
        adda 1
        ld ac,x
        bra gain
        ld low(.left)
.left:  sync
        flip
        ld 0
        ld hi(settle),y
        jmp y,settle
        st [moved]

; The score of the position from the lists. In: side, the lists, filled columns.
; Out: score as the side to move sees it, mine. Clobbers AC, X, Y, spot, heft, named.
; 17 + 40 clocks for each piece, without syncs.
assess: enter assess
.in:    ld drawl
        st [score.low]
        ld drawh
        st [score.high]
        ld worthb
        st [mine]
        ld king + 1
        st [named]
.piece: sync
        ld [named],y
        ld [y,loc]
        st [spot]
        ld [mine]
        adda [y,kind]
        ld ac,x
        ld [y,next]
        st [named]
        bra gain
        ld low(.next)
.next:  ld [named]
        bge .piece
        nop
        sync
        flip
        ld king
        st [named]
        ld [mine]
        xora worthx
        st [mine]
        xora worthw             ; black's men were added, white's are next
        beq .piece
        ld [side]
        ; Now the score is black's and `mine` too.
        bne .done
        nop
        flip
        ld worthw
        st [mine]
.done:  leave assess
        stubs

        section appraise in rom within=256

; Fills the columns of worth for the position, then goes on with `assess`, which goes
; back. In: the lists, side. Clobbers AC, X, Y and the cells from `spot` on. About
; 10,000 clocks.
appraise:
        enter assess
        ld 0
        st [ending]
        ld king
        st [rank8]
.list:  ld [rank8]
        st [named]
.count: sync
        ld [named],y
        ld [y,next]
        st [named],y
        blt .counted
        ld [ending]
        adda [y,kind]
        bra .count
        st [ending]
.counted:
        ld [rank8]
        xora 1
        st [rank8]
        xora king
        bne .list
        nop
        ld [ending]
        suba many
        st [ending]
        ld a1
        st [row1]
        ld north
        st [pace]
        ld worthw
        st [mine]

        ; A pawn is 64, and knights 200, bishops 208, rooks 320, queens 600 where
        ; they are worth the least.
.side:  sync
        ld [mine]
        adda 1
        ld ac,x
        ld whole,y
        ld 1
        st [y,x++]
        ld 2
        st [y,x++]
        st [y,x++]
        ld 3
        st [y,x++]
        ld 5
        st [y,x++]
        ld 0
        st [y,x++]
        st [rank8]
        st [march]
.rank:  ld [rank8]
        suba 4
        blt .near
        ld [rank8]
        xora 7
.near:  st [ranks]
        ld 0
        st [files]
        st [middle]
.file:  sync
        ld [row1]
        adda [files]
        st [spot]
        ld [files]
        adda [ranks]
        st [both]
        adda ac
        adda ac
        st [both4]
        ; Kings want to the middle in an ending, else to a corner of their own.
        ld [ending]
        blt .king
        ld [both4]
        ld 0
        suba [both4]
        suba [rank8]
        suba [rank8]
.king:  st [throne]
.square:
        sync
        ld [mine]
        adda 1
        ld ac,x
        ld [spot],y
        ld -64
        adda [march]
        adda [middle]
        adda [middle]
        st [y,x++]
        ld -56
        adda [both4]
        st [y,x++]
        ld -48
        adda [both]
        adda [both]
        adda [middle]
        st [y,x++]
        ld -64
        repeat inward
        adda [files]
        endr
        st [y,x++]
        ld -40
        adda [both]
        st [y,x++]
        ld [throne]
        st [y,x++]
        sync
        ; The same on the other wing.
        ld [row1]
        adda 7
        suba [files]
        st [heft]
        xora [spot]
        beq .next
        ld [heft]
        bra .square
        st [spot]
.next:  ld [middle]
        adda [ranks]
        st [middle]
        ld [files]
        adda 1
        st [files]
        suba 4
        bne .file
        nop
        sync
        ; A pawn gains as many units as ranks lie behind it, thrice in an ending.
        ld [ending]
        bge .far
        ld [march]
        adda [rank8]
        adda [rank8]
.far:   adda [rank8]
        st [march]
        ld [row1]
        adda [pace]
        st [row1]
        ld [rank8]
        adda 1
        st [rank8]
        suba 8
        bne .rank
        nop
        ld a1 + 7 * north
        st [row1]
        ld 0 - north
        st [pace]
        ld [mine]
        xora worthx
        st [mine]
        xora worthb
        beq .side
        ld hi(assess),y         ; (slot)
        jmp y,assess.in
        nop
        stubs

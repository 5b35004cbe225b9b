; What a position is worth: material, and the squares the pieces stand on.
;
; A score has two bytes. The low one is -64 to 63, the high one counts by 128; a pawn
; is about 13, and nothing is worth more than 116 or less than -12. The machine has no
; carry, so a sum of a low byte and such a worth is mended with two tables: `norm` has
; what stays, `carry` what the high byte gets.
;
; A score s stands for s + 64.5, so that the complement of both bytes is the score as
; the other side sees it: no table, and every score has its opposite. A draw is half
; a unit less than nothing for black.
;
; What a piece is worth on a square is the byte in its column there. The column is
; `worthw` or `worthb` and the kind. A move changes the score by what it takes and by
; the difference of two bytes. The columns are filled before each search, since kings
; and pawns change their values when the pieces leave the board.
;
; A king without men is worth four times as much in the middle as at the edge, and the
; other king loses two for each step, by rank and by file, that he is away from where that
; one stands when the search begins: so he is driven to the edge and comes to be mated.

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

drawl   equ 63                  ; a draw
drawh   equ -1
many    equ 39                  ; sum of the kinds of all men from which on kings hide;
                                ; 74 when all are there

NEAR    equ 28                  ; two for each step that squares can be apart

        section values in zero
follows:                ; while `setup` is at work: by kind and colour the next slot
score.low:  ds 1        ; the score that is worked on
score.high: ds 1
mine:   ds 1            ; columns of the side to move: worthw or worthb
heft:   ds 1            ; a byte on the way
freekn: ds 2            ; first free slot of knights, of white and of black
named:  ds 1            ; a piece while lists are walked
first:  ds 1            ; the first of its list
rank8:  ds 1            ; rank as the side sees it, 0 to 7
hiding: ds 1            ; $FF: kings hide; 0: they come out, and pawns go ahead
freesl: ds 2            ; first free slot of sliders
assess.page: ds 1       ; where these routines go back to
assess.low: ds 1

; Nothing but numbers: they stand where other cells would be too near to columns.
        section ranks.cells in zero
        org $d5
ranks:  ds 1            ; steps to the nearer end of the file, 0 to 3,
file8:  ds 1            ; file,
files:  ds 1            ; steps to the nearer end of the rank,
both:   ds 1            ; and the sum
army:   ds 1            ; sum of the kinds of all men that were set up, less `many`
        assert army == 256 - many, "`army` stands at its number"
alone:  ds 1            ; first column of a king without men, 0 if there is none,
lair.rank: ds 1         ; and his rank and file as the other side counts them
lair.file: ds 1
near.king: ds 1         ; what a square is worth to the king who hunts him; the complement
                        ; does for the opposite, so he is half a step beside

; The score as the other side sees it. 6 words and clocks; AC.
macro flip()
        ld [score.low]
        xora $ff
        st [score.low]
        ld [score.high]
        xora $ff
        st [score.high]
endm

; The score, when X is the sum of its low byte and a worth. 7 words and clocks; AC, Y.
macro mend()
        ld norm,y
        ld [y,x]
        st [score.low]
        ld carry,y
        ld [y,x]
        adda [score.high]
        st [score.high]
endm

        section appraise in rom within=256

; ---------------------------------------------------------------------------- appraise
; Fills the columns of worth for the position, then goes on with `assess`.
;   in   the lists, side
;   out  as assess
;   uses AC, X, Y, the cells above; clocks: about 7,000

appraise:
        st [assess.low]
        sync
        ld [army]
        bge .many
        ld $ff                  ; (slot)
        ld 0
.many:  st [hiding]

; Is a king alone, and where, as the other side counts?
        ld 0
        st [alone]
        ld king ^ 1,y
        ld [y,next]
        blt .black
        ld worthb + 1           ; (slot)
        ld king,y
        ld [y,next]
        bge .army
        ld worthw + 1           ; (slot)
        st [alone]
        ld h8
        bra .lair
        suba [y,loc]            ; (slot)
.black: st [alone]
        ld [y,loc]
        suba a1
.lair:  st [lair.file]
        ld 0
.ten:   st [lair.rank]
        sync
        ld [lair.file]
        suba north
        blt .army
        nop
        st [lair.file]
        ld [lair.rank]
        bra .ten
        adda 1                  ; (slot)
.army:  st a1,[spot]
        ld worthw + 1
        st [mine]

; Columns of black stand on their heads. Behind each rank two guards get values too.
        ld 0
.rank:  st [rank8]
        suba 4
        blt .near
        ld [rank8]              ; (slot)
        xora 7
.near:  st [ranks]
        ld 0
.file:  st [file8]
        sync
        ld [file8]
        suba 4
        blt .left
        ld [file8]              ; (slot)
        xora 7
.left:  st [files]
        adda [ranks]
        st [both]
        ld [rank8]              ; 2 less for each step away from a king alone
        suba [lair.rank]
        blt .above
        st [near.king]          ; (slot)
        xora $ff
        st [near.king]
.above: ld [file8]
        suba [lair.file]
        blt .right
        nop
        xora $ff
.right: adda [near.king]
        adda ac
        adda NEAR
        st [near.king]
.square: sync
        ld [spot],y
        ld [mine],x
        ld [rank8]              ; a pawn: in an ending a rank is two units: more than what it
        ora [hiding]            ; loses on its way out of the middle
        st [heft]
        ld [files]
        anda [ranks]            ; 3 in the middle, 2 beside it
        adda [heft]
        adda [heft]
        adda 14
        st [y,x++]
        ld [both]
        adda 36
        st [y,x++]
        adda 2
        st [y,x++]
        ld [files]
        adda 60
        st [y,x++]
        ld 108
        st [y,x++]
        sync
        ld [spot],y
        ld [mine]
        adda 5,x
        ld [alone]
        beq .usual
        xora [mine]             ; (slot)
        beq .bare
        ld [both]               ; (slot)
        bra .king
        ld [near.king]          ; (slot)
.bare:  adda ac                 ; he is driven to the edge
        bra .king
        adda ac                 ; (slot)
.usual: ld [both]
        xora [hiding]
.king:  st [y,x]
        ld a1 + h8
        suba [spot]
        st [spot]
        ld [mine]
        xora worthx
        st [mine]
        xora worthw + 1
        bne .square
        nop
        sync
        ld [spot]
        adda east
        st [spot]
        ld [file8]
        suba 9
        bne .file
        adda 10                 ; (slot)
        ld [rank8]
        suba 7
        bne .rank
        adda 8                  ; (slot)
        ld hi(assess),y
        jmp y,assess
        ld [assess.low]         ; (slot)
        stubs

        section leap in rom within=256  ; there is room in this page

; ------------------------------------------------------------------------------ assess
; The score of the position from the lists.
;   in   side, the lists, filled columns
;   out  score as the side sees it that has just moved, mine = its columns
;   uses AC, X, Y, heft, named, first; clocks: 50, and 21 for each piece

assess: enter assess
        sync
        ld [side]               ; nothing: 63 and -1 for black, the complement for white
        suba 1
        st [score.high]
        xora drawl ^ drawh
        st [score.low]
        anda worthx
        adda worthw
        st [mine]
        ld [side]
        ora king
.list:  xora 1
        st [first]
        st [named]
.piece: sync
        ld [named],y
        ld [y,next]
        st [named]
        ld [mine]
        adda [y,kind]
        ld ac,x
        ld [y,loc]
        ld ac,y
        ld [y,x]
        adda [score.low]
        ld ac,x
        mend
        ld [named]
        bge .piece
        nop
        sync
        flip
        ld [mine]
        xora worthx
        st [mine]
        ld [first]
        xora [side]
        suba king + 1
        beq .list
        ld [first]              ; (slot)
        leave assess
        stubs

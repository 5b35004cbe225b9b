; What the lists of the screen say: the board, and the row of messages below it.

; Pages of pictures: a colour of squares, and what stands on them as in `code`.
ONLIGHT equ hi(sprites)
ONDARK  equ ONLIGHT + 16
ONSKY   equ ONLIGHT + 32
ONGOLD  equ ONLIGHT + 48
ONLIME  equ ONLIGHT + 64

a8      equ a1 + 7 * north
edge    equ a1 + 8 * east       ; the guard at the end of the first rank

; What the game remembers: a byte each, in the page GAME.
GAME    equ $7f
        column cursor, GAME, GAME       ; square of the cursor, 0 none
        column chosen, GAME, GAME       ; square of the chosen piece, 0 none
        column came, GAME, GAME         ; the last move: from, 0 none,
        column went, GAME, GAME         ; and to
        column message, GAME, GAME      ; what the row below says
        column choice, GAME, GAME       ; kind that a pawn is to become, 0 no choice
        column skill, GAME, GAME        ; level of the machine, 1..8

; Cells that others have when nothing is painted.
paint.low equ gen.low
paint.page equ gen.man
paint.to equ gen.from   ; place in the list
paint.base equ gen.to   ; page of an empty square of this colour

        section display in rom within=256

; ----------------------------------------------------------------------------- paint
; Makes the lists of the board and of the messages.
;   in   board, kind, side, and the cells above
;   out  shown, status
;   uses AC, X, Y, sq, t; clocks: about 5,000

paint:  enter(paint)
        ld shown
        st [paint.to]
        ld ONLIGHT
        st [paint.base]
        ld a8
.next:  st [sq]
        sync
        ld [sq],y
        ld [y,board]
        blt .edge
        nop
        beq .code
        st [t],y                ; the piece
        anda 1
        beq .white
        ld 0
        ld 8
.white: adda [y,kind]
.code:  st [t]
        ; The colour, the most important one first.
        ld GAME,y
        ld [sq]
        xora [y,cursor]
        beq .sky
        xora [y,cursor]
        xora [y,chosen]
        beq .gold
        xora [y,chosen]
        xora [y,came]
        beq .lime
        xora [y,came]
        xora [y,went]
        beq .lime
        ld [paint.base]
        bra .put
        nop
.sky:   bra .put
        ld ONSKY
.gold:  bra .put
        ld ONGOLD
.lime:  ld ONLIME
.put:   adda [t]
        ld [paint.to],x
        st [x]
        sync
        ld [paint.to]
        adda 1
        st [paint.to]
        ld [paint.base]
        xora ONLIGHT ^ ONDARK
        st [paint.base]
        ld [sq]
        bra .next
        adda 1
.edge:  ld [paint.to]           ; behind each rank stands the page that ends it
        adda 1
        st [paint.to]
        ld [paint.base]
        xora ONLIGHT ^ ONDARK
        st [paint.base]
        ld [sq]
        suba edge
        bne .next
        adda edge - 8 * east - north

; The row below: whose move it is, the level, and five letters.
        sync
        ld GAME,y
        ld [side]
        adda ac
        adda ac
        adda ac
        adda ONDARK + 6
        st [status]
        ld [y,skill]
        adda hi(page1) - 1
        st [status + 1]
        ld hi(pageblank)
        st [status + 2]
        ld [y,choice]
        bne .choice
        ld hi(says),y
        jmp y,says
        nop

; Which piece a pawn becomes: queen, rook, bishop or knight; the choice stands out.
.choice: ld status + 3
        st [paint.to]
        ld 5
.kind:  st [t]
        ld GAME,y
        ld [t]
        xora [y,choice]
        beq .chosen
        ld ONDARK
        bra .side
        nop
.chosen: ld ONGOLD
        nop
.side:  adda [t]
        st [paint.base]
        ld [side]
        adda ac
        adda ac
        adda ac
        adda [paint.base]
        ld [paint.to],x
        st [x]
        sync
        ld [paint.to]
        adda 1
        st [paint.to]
        ld [t]
        suba 2
        bne .kind
        adda 1
        ld hi(pageblank)
        st [status + 7]
painted: sync
        leave(paint)
        stubs

; ---- messages -----------------------------------------------------------------------

        section says in rom within=256

; Five letters, and the way back. 12 words and clocks.
macro say(number, a, b, c, d, e)
said##number:
        ld hi(page##a)
        st [status + 3]
        ld hi(page##b)
        st [status + 4]
        ld hi(page##c)
        st [status + 5]
        ld hi(page##d)
        st [status + 6]
        ld hi(page##e)
        bra saidall
        st [status + 7]
endm

; Writes the message.
says:   sync
        ld GAME,y
        ld [y,message]
        targets said0, said1, said2, said3, said4
        bra ac
        nop
        say 0, blank, blank, blank, blank, blank
        say 1, T, H, I, N, K
        say 2, C, H, E, C, K
        say 3, blank, M, A, T, E
        say 4, blank, D, R, A, W
saidall:
        ld hi(painted),y
        jmp y,painted
        nop
        stubs

NOTHING equ low(said0)
THINKS  equ low(said1)
CHECKS  equ low(said2)
MATED   equ low(said3)
DRAWN   equ low(said4)

; What the lists of the screen say: the board, and the row of messages below it.

; Pages of pictures: a colour of squares, and what stands on them as in `code`.
ONLIGHT equ hi(sprites)
ONDARK  equ ONLIGHT + 16
ONSKY   equ ONLIGHT + 32
ONGOLD  equ ONLIGHT + 48
ONLIME  equ ONLIGHT + 64

a8      equ a1 + 7 * north
edge    equ a1 + 8 * east       ; the guard at the end of the first rank

; What the game remembers.
        section game.cells in zero
cursor: ds 1            ; square of the cursor, 0 none
came:   ds 1            ; the last move: from, 0 none,
went:   ds 1            ; and to
message: ds 1           ; what the row below says
choice: ds 1            ; kind that a pawn is to become, 0 no choice
skill:  ds 1            ; level of the machine, 1..8
keys:   ds 1            ; buttons that went down
held:   ds 1            ; frame when an arrow that is down repeats
plays:  ds 1            ; side of the machine, 2 more if it does not play

; Cells that others have at other times.
chosen equ best.from    ; square of the chosen piece, 0 none: the move that is asked for
paint.to equ gen.from   ; place in the list

        section display in rom within=256

; ---------------------------------------------------------------------------- redraw
; Makes the lists of the board and of the messages. Jumped to when something changed; goes
; to `thinks` if that is what the message says, else to `loop`.
;   in   code, side, and the cells above
;   out  shown, status
;   uses AC, X, Y, sq; clocks: about 3,000

redraw: ld shown - 1
        st [paint.to]
        ld a8
.next:  st [sq]
        sync
        ld [paint.to]
        adda 1
        st [paint.to],x
        ld [sq],y
        ld [y,code]
        blt .edge               ; there stands the page that ends a rank
        ld [sq]
        ; The colour, the most important one first.
        xora [cursor]
        beq .put
        ld ONSKY
        ld [sq]
        xora [chosen]
        beq .put
        ld ONGOLD
        ld [sq]
        xora [came]
        beq .put
        ld ONLIME
        sync
        ld [paint.to],x
        ld [sq],y
        ld [sq]
        xora [went]
        beq .put
        ld ONLIME
        ld [paint.to]           ; a rank has nine places: light and dark take turns
        anda 1
        beq .put
        ld ONLIGHT + (shown & 1) * 16
        ld ONDARK - (shown & 1) * 16
.put:   adda [y,code]
        st [x]
        ld [sq]
        bra .next
        adda 1
.edge:  suba edge
        bne .next
        adda edge - 8 * east - north

; The row below: whose move it is, the level, and a message of five letters, or of the
; pieces that a pawn may become.
        sync
        ld [side]
        adda KINGS
        st [status]
        ld [skill]
        adda hi(page1) - 1
        st [status + 1]
        ld [choice]
        beq .message
        ld [message]
        ld [choice]
        adda ac
        adda [side]
        adda CHOICES
.message: st [status + 3]
        suba 8
        st [status + 4]
        suba 8
        st [status + 5]
        suba 8
        st [status + 6]
        suba 8
        st [status + 7]
        xora THINKS - 4 * 8
        bne .loop
        ld hi(loop),y
        ld hi(thinks),y
        jmp y,thinks
        nop
.loop:  jmp y,loop
        nop
        stubs

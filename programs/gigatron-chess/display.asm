; What the lists of the screen say: the board, and the row of messages below it.

; Pages of pictures: a colour of squares, and what stands on them as in `code`.
ONLIGHT equ hi(sprites)
ONDARK  equ ONLIGHT + 16
ONSKY   equ ONLIGHT + 32
ONGOLD  equ ONLIGHT + 48
ONLIME  equ ONLIGHT + 64

a8      equ a1 + 7 * north

; What the game remembers.
        section game.cells in zero
cursor: ds 1            ; square of the cursor, 0 none
came:   ds 1            ; the last move: from, 0 none,
went:   ds 1            ; and to
message: ds 1           ; what the row below says
choice: ds 1            ; kind that a pawn is to become, 0 no choice
since:  ds 1            ; moves since the last capture or pawn move
older:  ds 1            ; column of a position before
keys:   ds 1            ; buttons that went down
held:   ds 1            ; frame when an arrow that is down repeats

; Cells that others have at other times.
chosen equ best.from    ; square of the chosen piece, 0 none: the move that is asked for
paint.to equ gen.from   ; place in the list
square.code equ gen.to  ; what stands on the square

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
        suba status - 1
        beq .row                ; all ranks are done
        adda status             ; (slot)
        st [paint.to],x
        ld [x]
        xora hi(lineend)        ; the page that ends a rank stays
        beq .edge
        ld [sq],y               ; (slot)
        ld [y,code]
        anda 15
        st [square.code]
        ld [sq]
        ; The colour, the most important one first.
        xora [cursor]
        beq .put
        ld ONSKY                ; (slot)
        ld [sq]
        xora [chosen]
        beq .put
        ld ONGOLD               ; (slot)
        ld [sq]
        xora [came]
        beq .put
        ld ONLIME               ; (slot)
        sync
        ld [paint.to],x
        ld [sq]
        xora [went]
        beq .put
        ld ONLIME               ; (slot)
        ld [paint.to]           ; a rank has nine places: light and dark take turns
        anda 1
        beq .put
        ld ONLIGHT + (shown & 1) * 16 ; (slot)
        ld ONDARK - (shown & 1) * 16
.put:   adda [square.code]
        st [x]
        ld [sq]
        bra .next
        adda 1                  ; (slot)
.edge:  ld [sq]                 ; behind the h-file: to the next rank
        bra .next
        adda 0 - 8 * east - north ; (slot)

; The row below: whose move it is, the level, and a message of five letters, or of the
; pieces that a pawn may become.
.row:   sync
        ld [side]
        adda KINGS
        st [status]
        ld [skill]
        adda hi(page1) - 1
        st [status + 1]
        ld [choice]
        beq .message
        ld [message]            ; (slot)
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
        ld hi(loop),y           ; (slot)
        ld hi(thinks),y
        jmp y,thinks
        nop
.loop:  jmp y,loop
        nop
        stubs

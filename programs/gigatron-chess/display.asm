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
chosen: ds 1            ; square of the chosen piece, 0 none
came:   ds 1            ; the last move: from, 0 none,
went:   ds 1            ; and to
message: ds 1           ; what the row below says
choice: ds 1            ; kind that a pawn is to become, 0 no choice
skill:  ds 1            ; level of the machine, 1..8
seen:   ds 1            ; frame of the last look at the buttons
keys:   ds 1            ; buttons that went down
held:   ds 1            ; frames that an arrow is down
plays:  ds 1            ; side of the machine, -1 none
waits:  ds 1            ; the cursor, while the machine thinks
final:  ds 1            ; not 0: no move may follow

; Cells that others have at other times.
paint.to equ gen.from   ; place in the list
paint.base equ gen.to   ; page of an empty square of this colour

; Goes far. 3 words and clocks; Y.
macro goto(place)
        ld hi(place),y
        jmp y,place
        nop
endm

; The next letter of the message, a word of the list below. 5 words, 6 clocks; AC.
macro says_letter(n)
        ld [message]
        adda n
        bra ac                  ; one word of the list,
        slot bra .put           ; and from there
.put:   st [status + 3 + n]
endm

        section display in rom within=256

; ---------------------------------------------------------------------------- redraw
; Makes the lists of the board and of the messages. Jumped to when something changed; goes
; to `thinks` if that is what the message says, else to `loop`.
;   in   board, kind, side, and the cells above
;   out  shown, status
;   uses AC, X, Y, sq, t; clocks: about 5,000

redraw: sync
        ld shown
        st [paint.to]
        ld ONLIGHT
        st [paint.base]
        ld a8 - 1
.next:  adda 1
        st [sq]
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
        ld [sq]
        xora [cursor]
        beq .sky
        xora [cursor]
        xora [chosen]
        beq .gold
        xora [chosen]
        xora [came]
        beq .lime
        xora [came]
        xora [went]
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
; Behind each rank stands the page that ends it.
.edge:  sync
        ld [paint.to]
        adda 1
        st [paint.to]
        ld [paint.base]
        xora ONLIGHT ^ ONDARK
        st [paint.base]
        ld [sq],y
        ld [y,board]
        bge .next
        ld [sq]
        suba edge
        bne .next
        adda edge - 8 * east - north - 1

; The row below: whose move it is, the level, and five letters.
        sync
        ld [side]
        adda ac
        adda ac
        adda ac
        adda ONDARK + 6
        st [status]
        ld [skill]
        adda hi(page1) - 1
        st [status + 1]
        ld hi(pageblank)
        st [status + 2]
        ld [choice]
        bne .choice
        nop
        sync                    ; the message
        repeat 5, n
        says_letter n
        endr
.painted: sync
        ld [message]
        xora THINKS
        bne .loop
        nop
        goto thinks
.loop:  goto loop

; Which piece a pawn becomes: queen, rook, bishop or knight; the choice stands out.
.choice: ld status + 3
        st [paint.to]
        ld 5
.kind:  st [t]
        xora [choice]
        beq .chosen
        ld ONGOLD - ONDARK - 6
        ld -6
.chosen: adda [t]
        adda [status]           ; the king of that side
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
        bra .painted
        st [status + 7]

; Five letters each.
.think: ld hi(pageT)
        ld hi(pageH)
        ld hi(pageI)
        ld hi(pageN)
        ld hi(pageK)
.check: ld hi(pageC)
        ld hi(pageH)
        ld hi(pageE)
        ld hi(pageC)
        ld hi(pageK)
.nothing:               ; the fifth is that of the next
        repeat 4
        ld hi(pageblank)
        endr
.mate:  ld hi(pageblank)
        ld hi(pageM)
        ld hi(pageA)
        ld hi(pageT)
        ld hi(pageE)
.draw:  ld hi(pageblank)
        ld hi(pageD)
        ld hi(pageR)
        ld hi(pageA)
        ld hi(pageW)
        stubs

THINKS  equ low(redraw.think)
CHECKS  equ low(redraw.check)
MATED   equ low(redraw.mate)
DRAWN   equ low(redraw.draw)
NOTHING equ low(redraw.nothing)

; Boot, video, pad and sound: what runs when no block of the program does.
;
; Programs are cut into blocks by `sync`. A block starts only if 40 clocks are left
; until the deadline; otherwise it goes to `late`, which burns the rest to the clock,
; makes the sync pulse, and goes on with the block on the next line that is free.
;
; A line has 200 clocks and starts where hSync falls:
;
;   clock 0     hSync falls: the word `fallen`
;         1     to the kind of this line, by the cell `line`; it has 15 clocks for
;               its own work and chooses the kind of the next line
;         18    a sample of the sound
;         24    hSync rises; the second port takes sample and LEDs out of AC
;         27    a block is resumed, or the picture is drawn from clock 68 to 163
;         186   deadline: 14 clocks are what a late block needs to the next pulse
;
; A frame has 521 lines:
;
;   line 1-8     vSync is low            51-434   the board: 8 ranks of 12 rows
;        9       it rises                         of 4 lines
;        10      the pad is read         435-449  nothing
;        11-12   frames and sound        450-497  the row of messages
;        13-50   nothing                 498-521  nothing
;
; Of the four lines of a row all are drawn, or the first, as `bright` says. All others
; are the program's.

LIMIT   equ 40          ; clocks that must be left for a block
FRESH   equ 161 - LIMIT ; clocks from a resumption to the deadline, less LIMIT
RANKS   equ 8
CELLS   equ 9           ; pictures in a row, with the one that ends it
RISE    equ 4           ; lines of a row
BORDER  equ 15          ; lines above the board, between it and the messages, below

        section shell in zero
left:   ds 1            ; clocks until the deadline, less LIMIT
back:   ds 1            ; where the late block goes on: low byte,
backpage: ds 1          ; and page
line:   ds 1            ; what the next line is: a place in the page `late`
then:   ds 1            ; and what the last of some free lines does
lines:  ds 1            ; how many of them are to come
fall:   ds 1            ; level of OUT while hSync is low,
rise:   ds 1            ; and when it is high: vSync is in it
row:    ds 1            ; row of the pictures: offset in their pages
rank:   ds 1            ; row of the list `shown`: its address
again:  ds 1            ; lines to draw of this row, 0 for RISE
skip:   ds 1            ; lines to leave out in each row of this frame: 0 or 3
tone:   ds 1            ; sound: a 256th of turns in a line, 0 for none
phase:  ds 1            ; where in its turn it is
ring:   ds 1            ; frames until it ends
bright: ds 1            ; lines to draw in each row but for the first: RISE - 1 or 0
pad:    ds 1            ; buttons that are down, as named below
pressed: ds 1           ; those that went down since this was cleared
fresh:  ds 1            ; as `pad`, on the way there
shown:  ds CELLS * RANKS ; pages of pictures, eighth rank first, each with `lineend`
status: ds CELLS        ; and the row below

RIGHT   equ $01         ; buttons
LEFT    equ $02
DOWN    equ $04
UP      equ $08
START   equ $10
SELECT  equ $20
BUTTONB equ $40
BUTTONA equ $80

; ---- boot ---------------------------------------------------------------------------

        section boot in rom
        org 0
; Power-on. The first word may execute several times.
power:  ld code,x
        ld $08                  ; guards everywhere: `newgame` sets the squares only
.guard: ld ac,y
        adda 1
        bge .guard
        st guard,[y,x]          ; (slot)
        ; Page 0: the lists, all empty, and what comes behind; 0 up to them.
        ld 0,y
        ld 0
.fill:  adda 1
        bne .fill
        st hi(pageblank),[y,x++] ; (slot)
        ld low(shown - 128),x
.clear: adda 1
        bge .clear
        st 0,[y,x++]            ; (slot)
        ld shown + CELLS - 1
.row:   ld ac,x
        st hi(lineend),[x]
        suba status + CELLS - 1
        bne .row
        adda status + CELLS - 1 + CELLS
        ifdef tables
        call tables
        ld 4
        st [skill]
        ld 1
        st [plays]
        ifdef HOST
        ld 7
        st [rules]
        endif
        endif
        ; A frame begins as soon as the first block is late.
        ld low(vsyncline)
        st [line]
        ld hi(main),y
        jmp y,main
        nop

; ---- the pulse ----------------------------------------------------------------------

        section handler in rom align=256, size=256

        repeat LIMIT
        nop
        endr
        clock 200
        clock 0, rebase
fallen: ld [fall],out           ; clock 0
        targets freeline, vsyncline, riseline, padline, tickline, ringline, drawnline
        bra [line]
        ld [lines]

; A line that is drawn. If lines are left out behind it, the next one is a free one,
; whose code is as many words farther on.
drawnline:
        ld [skip]               ; 3
        bra beam
        st [lines]

; A free line. AC = how many are to come, with this one.
freeline:
        suba 1                  ; 3
        beq lastfree
        st [lines]
        ld low(freeline)
        repeat 10
        nop
        endr
        st [line]               ; 17: what the next line is
        clock 18
sound:  ld [phase]              ; 18
        adda [tone]
        st [phase]
        anda $80
        ora [led]
        ld [backpage],y
        ld [rise],out           ; 24
        ifdef TIMED
        clock 25
        resume
        else
        clock 25, end
        endif
        jmp y,[back]
        ld FRESH
                                ; 27
; What follows goes to `sound`, or some words before it, when it is done: with the kind
; of the next line in AC, `sound - 1` at clock 17, `sound - 8` at clock 10.

; Line 1: vSync stays low for eight lines.
vsyncline:
        ld $40                  ; 3
        st [rise]
        ld 7
        st [lines]
        ld low(torise)
        st [then]
        bra sound - 7
        ld low(freeline)

; Line 9: the last bit of the pad comes in. `stop` hears of the button B.
riseline:
        ld $c0                  ; 3
        st [rise]
        ld shown
        st [rank]
        ld [pad]                ; B ends the search, also while nobody looks
        anda BUTTONB
        ora [stop]
        st [stop]
        bra sound - 5
        ld low(padline)

; Line 10: the pad; pressed buttons read 0.
padline: ld in                  ; 3
        xora $ff
        st [fresh]
        xora [pad]
        anda [fresh]            ; down now and not before
        ora [pressed]
        st [pressed]
        ld [fresh]
        st [pad]
        bra sound - 4
        ld low(tickline)

; Line 11: counts frames; which lines will be drawn.
tickline:
        ld [frames]             ; 3
        adda 1
        st [frames]
        ld [bright]
        xora RISE - 1
        st [skip]
        bra sound - 7
        ld low(ringline)

; Line 12: the end of the sound; the border is free.
ringline:
        ld [ring]               ; 3
        beq .silent
        suba 1
        bra .free               ; 6
        st [ring]
.silent: adda 1                 ; 6: 0
        st [tone]
.free:  ld BORDER + 23          ; 8
        st [lines]
        ld low(todraw)
        st [then]
        bra sound - 4
        ld low(freeline)

; Line 8: vSync rises with the next pulse.
torise: ld $80                  ; 8
        st [fall]
        bra sound - 6
        ld low(riseline)

; The first line of the board, of a row, of the messages comes next.
todraw: bra sound - 8           ; 8
        ld low(drawnline)

; A block is late. AC = its page, [back] = its place in it, [left] = clocks until the
; deadline, -40..-1; 9 clocks behind its `sync`.
        ifdef TIMED
        deadline 186
        endif
late:   st [backpage]
        ld low(fallen - LIMIT)
        suba [left]
        bra ac                  ; into the words before `fallen`
        nop
; Behind the last of some free lines:
        targets todraw, tobottom, torise
lastfree:
        bra [then]              ; 6
        nop

; The last line of a frame: vSync falls with the next pulse. (This is as many words
; behind `todraw` as cells are in a row of pictures: see `ended`.)
tobottom:
        ld 0                    ; 8
        st [fall]
        bra sound - 6
        ld low(vsyncline)
        assert tobottom == todraw + CELLS, "tobottom is not where the last row looks for it"

; ---- lines of the picture -----------------------------------------------------------

; A line with eight pictures of the list. AC = lines that are left out behind it.
beam:   adda low(drawnline)     ; 6
        st [line]
        ld 4                    ; 8
.sound: bne .sound
        suba 1
        ld [phase]              ; 19
        adda [tone]
        st [phase]
        anda $80
        ora [led]
        clock 24
        ld BLACK,out            ; 24
        ld 16
.start: bne .start              ; 26
        suba 1
        nop
        ld [rank],x             ; 61
        ld [x]
        ld ac,y
        ld BLACK,out,x++
        ld [x]
        clock 66, end
        jmp y,[row]
        ld ac,y
                                ; 68: the first pixel
; Behind the picture: what comes next. AC = lines to draw of this row of pixels, or 0
; for all, which are as many.
ended:  suba 1                  ; 168
        suba [skip]
        anda RISE - 1
        bne fallen - 27         ; 171: this row once more
        st [again]
        ld [row]                ; 173
        adda WIDE
        st [row]
        xora WIDE * TALL
        bne fallen - 21         ; 177: the next row
        nop
        st [row]                ; 179: 0
        ld [rank]
        adda CELLS
        st [rank]
        suba status
        blt fallen - 14         ; 184: the next rank
        adda low(todraw)
; Behind the board AC was 0, behind the messages CELLS: so much longer is the border, and
; so much farther on is what its last line does.
        st [then]               ; 186
        adda BORDER - low(todraw)
        adda [skip]
        st [lines]
        ld low(freeline)
        bra fallen - 7          ; 191
        st [line]

; Boot, video, pad and sound: what runs when no block of the program does.
;
; Programs are cut into blocks by `sync`. A block starts only if 36 clocks are left
; until the deadline; otherwise it goes to `late`, which burns the rest to the clock,
; makes the sync pulse, and goes on with the block on the next line that is free.
;
; A line has 200 clocks and starts where hSync falls:
;
;   clock 0     hSync falls: the word `fallen`
;         1     to the kind of this line, by the cell `line`; from clock 3 to 15 it does
;               its own work and chooses the kind of the next line
;         18    a sample of the sound
;         24    hSync rises; the second port takes sample and LEDs out of AC
;         27    a block is resumed, or the picture is drawn from clock 68 to 163
;         186   deadline: 14 clocks are what a late block needs to the next pulse
;
; A frame has 521 lines:
;
;   line 1-8     vSync is low            50-433   the board: 8 ranks of 12 rows
;        9       it rises                         of 4 lines
;        10      the pad is read         434-448  nothing
;        11-49   nothing                 449-496  the row of messages
;                                        497-520  nothing
;                                        521      frames and sound
;
; Of the four lines of a row all are drawn, or the first, as `dim` says. All others
; are the program's.

LIMIT   equ 36          ; clocks that must be left for a block
FRESH   equ 161 - LIMIT ; clocks from a resumption to the deadline, less LIMIT
RANKS   equ 8
CELLS   equ 9           ; pictures in a row, with the one that ends it
RISE    equ 4           ; lines of a row
BORDER  equ 15          ; lines between the board and the messages

        assert dim == RISE - 1, "`dim` stands at its number"

        section shell in zero
left:   ds 1            ; clocks until the deadline, less LIMIT
back:   ds 1            ; where the late block goes on: low byte,
backpage: ds 1          ; and page
line:   ds 1            ; what the next line is: a place in the page `late`
then:   ds 1            ; and what the one behind some free lines is
lines:  ds 1            ; how many free ones are to come
fall:   ds 1            ; level of OUT while hSync is low,
rise:   ds 1            ; and when it is high: vSync is in it
row:    ds 1            ; row of the pictures: offset in their pages
rank:   ds 1            ; row of the list `shown`: its address
again:  ds 1            ; lines to draw of this row, 0 for RISE
skip:   ds 1            ; the same as `dim`, but throughout a frame
tone:   ds 1            ; sound: a 256th of turns in a line, 0 for none
phase:  ds 1            ; where in its turn it is
ring:   ds 1            ; frame in which it ends
pad:    ds 1            ; buttons that are up, as named below
pressed: ds 1           ; those that went down since this was cleared
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
power:  ld 0,y
        ; Page 0: the 128 cells from `shown` on, the lists, are empty squares; the other
        ; half, where all cells are that must be 0 in the beginning, is 0.
        assert led < shown && shown <= $80, "cells that begin as 0 lie in the wrong half"
        ld shown,x
        ld $80
.fill:  adda 1
        bne .fill
        st hi(pageblank),[y,x++] ; (slot)
.clear: adda 1
        bge .clear
        st 0,[y,x++]            ; (slot)
        ld shown + CELLS - 1
.row:   ld ac,x
        st hi(lineend),[x]
        suba status + CELLS - 1
        bne .row
        adda status + CELLS - 1 + CELLS ; (slot)
        ifdef tables
        st 4,[skill]
        st 1,[plays]
        ifdef HOST
        ld 7
        st [rules]
        endif
        call_on(tables, main)
        else
        ld hi(main),y
        jmp y,main
        nop
        endif

; ---- the pulse ----------------------------------------------------------------------

        section handler in rom align=256, size=256

; Line 8: vSync rises with the next pulse. `stop` hears of the button B.
;
; It is the first kind of all after power-on, since it stands at 0. Until the first line
; nobody writes OUT; then `fall` and `rise` are still 0, and hSync stays low until the free
; line behind this one has worked out the level: 224 clocks, once, before the first frame
; begins. Monitors need many lines to lock on to a picture, so nobody sees that.
riseline:
        ld $80                  ; 3
        st [fall]
        ld 1
        st [lines]
        ld low(padline)
        st [then]
        ld shown
        st [rank]
        ld [pressed]            ; B ends the search, also while nobody looks
        anda BUTTONB
        ora [stop]
        bra tofree
        st [stop]               ; (slot) 15

        repeat LIMIT
        nop
        endr
        clock 200
        clock 0, rebase
fallen: ld [fall],out           ; clock 0
        targets freeline, drawnline, bottomline, riseline, padline
        bra [line]
        ld [lines]              ; (slot)

; A line that is drawn. If lines are left out behind it, the next one is a free one,
; whose code is as many words farther on.
drawnline:
        ld [skip]               ; 3
        bra beam
        st [lines]              ; (slot)

; A free line. AC = how many are to come, with this one. hSync is above vSync as that was
; at the last pulse.
freeline:
        suba 1                  ; 3
        st [lines]
        ld [fall]
        ora $40
        bra freeline.on
        st [rise]               ; (slot) 8

; The last line of a frame: vSync falls with the next pulse and stays low for eight
; lines. Counts frames; the end of the sound. AC = lines = 0. (This is as many words
; behind `drawnline` as cells are in a row of pictures: see `ended`.)
bottomline:
        bra bottomline.more            ; 3
        st [fall]               ; (slot)
        assert bottomline == drawnline + CELLS, "the last row does not find bottomline"

freeline.on:
        nop                     ; 9
        bra lastfree            ; one word there, and on: three clocks
        slot bra freeline.over
freeline.over:
        ld [lines]              ; 13
        beq lastfree            ; 14: one word there,
        slot bra tofree + 1     ; and back
; The next line is a free one.
tofree: ld low(freeline)        ; 16
        st [line]
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
        ld FRESH                ; (slot)
                                ; 27
lastfree: ld [then]             ; 16: but behind the last of some free lines this comes

; What follows goes to `tofree` at clock 16.

bottomline.more:
        ld 7                    ; 5
        st [lines]
        ld low(riseline)
        st [then]
        ld [frames]
        adda 1
        st [frames]
        xora [ring]
        bne tofree              ; 13: in this frame the sound does not end
        slot bra tofree
        st [tone]               ; 15: 0

; Line 10: the pad; pressed buttons read 0. Which lines will be drawn.
padline: ld [pad]               ; 3
        ora in
        xora in                 ; up before and down now
        ora [pressed]
        st [pressed]
        st in,[pad]
        ld BORDER + 24
        st [lines]
        ld low(drawnline)
        st [then]
        ld [dim]
        bra tofree
        st [skip]               ; (slot) 15

; A block is late. AC = its page, [back] = its place in it, [left] = clocks until the
; deadline, -LIMIT..-1; 9 clocks behind its `sync`.
        ifdef TIMED
        deadline 186
        endif
late:   st [backpage]
        ld low(fallen - LIMIT)
        suba [left]
        bra ac                  ; into the words before `fallen`
        nop

; ---- lines of the picture -----------------------------------------------------------

; A line with eight pictures of the list. AC = lines that are left out behind it.
beam:   adda low(drawnline)     ; 6
        st [line]
        ld 4                    ; 8
.sound: bne .sound
        suba 1                  ; (slot)
        ld [phase]              ; 19
        adda [tone]
        st [phase]
        anda $80
        ora [led]
        clock 24
        ld BLACK,out            ; 24
        ld 16
.start: bne .start              ; 26
        suba 1                  ; (slot)
        nop
        ld [rank],x             ; 61
        ld [x]
        ld ac,y
        ld BLACK,out,x++
        ld [x]
        clock 66, end
        jmp y,[row]
        ld ac,y                 ; (slot)
                                ; 68: the first pixel
; Behind the picture: what comes next. AC = lines to draw of this row of pixels, or 0
; for all, which are as many.
ended:  suba 1                  ; 168
        suba [skip]
        anda RISE - 1
        bne fallen - 27         ; 171: this row once more
        st [again]              ; (slot)
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
        adda low(drawnline)     ; (slot)
; Behind the board AC was 0, behind the messages CELLS: so much longer is the border, and
; so much farther on is what its last line does.
        st [then]               ; 186
        adda BORDER - low(drawnline)
        adda [skip]
        st [lines]
        ld low(freeline)
        bra fallen - 7          ; 191
        st [line]               ; (slot)

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
;   line 1-8     vSync is low            52-435   the board: 8 ranks of 12 rows
;        9       it rises                         of 4 lines
;        10      the pad is read         436-451  nothing
;        11-12   frames and sound        452-499  the row of messages
;        13-51   nothing                 500-521  nothing
;
; Of the four lines of a row all are drawn if `bright` is not 0, else the first. All
; others are the program's.

LIMIT   equ 40          ; clocks that must be left for a block
FRESH   equ 161 - LIMIT ; clocks from a resumption to the deadline, less LIMIT
RANKS   equ 8
CELLS   equ 9           ; pictures in a row, with the one that ends it
RISE    equ 4           ; lines of a row
BORDER  equ 16          ; lines above the board, between it and the messages, below

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
again:  ds 1            ; lines to draw of this row, if all are drawn
skip:   ds 1            ; lines to leave out in each row of this frame: 0 or 3
tone:   ds 1            ; sound: a 256th of turns in a line, 0 for none
phase:  ds 1            ; where in its turn it is
ring:   ds 1            ; frames until it ends
bright: ds 1            ; not 0: draw all lines
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
power:  ld $c0,out
        ld 0
        st [bright]
        st [led]
        st [tone]
        st [phase]
        st [ring]
        st [frames]
        st [pad]
        st [pressed]
        st [row]
        st [command]
        ; The lists, all of light squares.
        ld shown,x
        ld 0,y
        ld RANKS + 1
.rank:  st [left]
        ld hi(sprites)
        repeat 8
        st [y,x++]
        endr
        ld hi(lineend)
        st [y,x++]
        ld [left]
        suba 1
        bne .rank
        nop
        ifdef tables
        call tables
        endif
        ; The first line is one behind the pad's, with vSync high.
        ld $80
        st [fall]
        ld $c0
        st [rise]
        ld shown
        st [rank]
        ld 1
        st [again]
        ld low(tickline)
        st [line]
        ld hi(entry)
        st [backpage]
        ld low(entry)
        st [back]
        ld hi(fallen),y
        jmp y,fallen
        nop

; The first block: as if `main` was late. AC = clocks left.
entry:  suba 7          ; up to the first `sync` there
        st [left]
        ld hi(main),y
        jmp y,main
        nop

; ---- the pulse ----------------------------------------------------------------------

        section handler in rom align=256, size=256

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
        repeat LIMIT
        nop
        endr
        clock 200
        clock 0, rebase
fallen: ld [fall],out           ; clock 0
        targets freeline, vsyncline, riseline, padline, tickline, ringline, drawnline
        bra [line]
        ld [lines]

; A free line. AC = how many are to come, with this one.
freeline:
        suba 1                  ; 3
        beq lastfree
        st [lines]
        repeat 12
        nop
        endr
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
        targets todraw, tobottom, torise
lastfree:
        bra [then]              ; 6
        nop

; The first line of the board, of a row, of the messages comes next.
todraw: ld low(drawnline)       ; 8
        bra sound - 7
        st [line]

; Clock 11 is `sound - 7`, and so on: what follows goes there when it is done.

; The last line of a frame: vSync falls with the next pulse.
tobottom:
        ld 0                    ; 8
        st [fall]
        ld low(vsyncline)
        bra sound - 5
        st [line]

; Line 1: vSync stays low for eight lines.
vsyncline:
        ld $40                  ; 3
        st [rise]
        ld 7
        st [lines]
        ld low(torise)
        st [then]
        ld low(freeline)
        bra sound - 6
        st [line]

; Line 8: vSync rises with the next pulse.
torise: ld $80                  ; 8
        st [fall]
        ld low(riseline)
        bra sound - 5
        st [line]

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
        ld low(padline)
        bra sound - 4
        st [line]

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
        ld low(tickline)
        bra sound - 3
        st [line]

; Line 11: counts frames; which lines will be drawn.
tickline:
        ld [frames]             ; 3
        adda 1
        st [frames]
        ld [bright]
        beq .dark
        ld 3
        bra .both               ; 9
        ld 0
.dark:  nop                     ; 9
        nop
.both:  st [skip]               ; 11
        ld RISE
        suba [skip]
        st [again]
        ld low(ringline)
        bra sound
        st [line]

; Line 12: the end of the sound; the border is free.
ringline:
        ld [ring]               ; 3
        beq .silent
        suba 1
        st [ring]               ; 6
        bra .free
        ld 39
.silent: ld 0                   ; 6
        st [tone]
        ld 39
.free:  st [lines]              ; 9
        ld low(todraw)
        st [then]
        ld low(freeline)
        bra sound - 3
        st [line]

; A line that is drawn.
drawnline:
        ld hi(beam),y           ; 3
        jmp y,beam
        nop

; ---- lines of the picture -----------------------------------------------------------

        section beams in rom align=256, size=256

; The page that ends the list: at each row's place the way out of the picture.
lineend:
        repeat TALL, i
        clock 164, rebase
        ld BLACK,out            ; 164
        bra ended
        ld [again]
        if i < TALL - 1
        ds WIDE - 3
        endif
        endr

; A line with eight pictures of the list.
beam:   repeat 13
        nop
        endr
        ld [phase]              ; 19
        adda [tone]
        st [phase]
        anda $80
        ora [led]
        clock 24
        ld BLACK,out            ; 24
        ; The next line is a free one, if any line of a row is left out.
        ld low(todraw)
        st [then]
        ld [skip]
        st [lines]
        beq .all                ; 29
        ld low(drawnline)
        ld low(freeline)
        bra .line
        nop
.all:   nop                     ; 31
        nop
        nop
.line:  st [line]               ; 34
        ld 11                   ; 35
.wait:  bne .wait
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
; Behind the picture: which row comes next. AC = lines to draw of this one.
ended:  suba 1                  ; 167
        bne .out
        st [again]
        ld RISE                 ; 170
        suba [skip]
        st [again]
        ld [row]
        adda WIDE
        st [row]
        xora WIDE * TALL
        beq .rank               ; 177
        nop
        bra .out - 170 + 181
        nop
.rank:  st [row]                ; 179: 0
        ld [rank]
        adda CELLS
        st [rank]
        xora status
        beq .border             ; 184
        xora status ^ (status + CELLS)
        beq .bottom             ; 186
        nop
        bra .out - 170 + 190
        nop
.border: ld BORDER              ; 186
        adda [skip]
        st [lines]
        ld low(freeline)
        bra .out - 170 + 192
        st [line]
.bottom: ld BORDER + 6          ; 188: and what stands before vSync
        adda [skip]
        st [lines]
        ld low(tobottom)
        st [then]
        ld low(freeline)
        bra .out - 170 + 196
        st [line]
.out:   repeat 27               ; 170
        nop
        endr
        clock 197
        ld hi(fallen),y
        jmp y,fallen
        nop                     ; 199

; Four bars that the pad changes: a picture of eight lines, blocks of time for the work,
; and a handler between them. Small, so that a check of it as a whole takes no time.
        machine gigatron-32k

LIMIT   equ 40          ; clocks of the longest block
FRESH   equ 161 - LIMIT ; clocks from where a block goes on to the deadline, less LIMIT
FREE    equ 3           ; lines without a picture

        section cells in zero
left:   ds 1            ; clocks to the deadline, less LIMIT
back:   ds 1            ; where the late block goes on: low byte,
page:   ds 1            ; and page
line:   ds 1            ; what the next line is: its low byte
count:  ds 1            ; free lines to come
fall:   ds 1            ; OUT while hSync is low,
rise:   ds 1            ; and while it is high
pad:    ds 1            ; buttons that are down
row:    ds 1            ; row of the pictures: offset in their pages
list:   ds 5            ; pages of pictures, and the one behind them
ret:    ds 2            ; where a routine goes back to: page and low byte
n:      ds 1            ; a counter,
at:     ds 1            ; and the bar that it is at
wait:   ds 1            ; rounds to wait

        section boot in rom
        org 0
        ld 0,y
        ld list,x
        ld hi(red)
        st [y,x++]
        st [y,x++]
        st [y,x++]
        st [y,x++]
        ld hi(behind)
        st [y,x++]
        ld $80
        st [fall]
        ld low(frame)
        st [line]
        ld 0
        st [left]
        st [row]
        st [count]
        st [n]
        st [at]
        st [pad]
        ld hi(loop)
        st [ret]
        ld low(loop)
        st [ret + 1]
        ld hi(main),y
        jmp y,main
        nop

        slices left, back, late, LIMIT

; ---- work

        section work in rom within=256
main:   sync
loop:   sync
        ld [pad]
        anda 1
        beq .still
        ld [n]                  ; (slot)
        adda 1
        st [n]
.still: sync
        ld hi(next)
        st [ret]
        ld low(next)
        st [ret + 1]
        ld hi(paint),y
        jmp y,paint
        nop
next:   sync
        ld [at]
        adda 1
        anda 3
        st [at]
        ld [n]                  ; how often it was is written down, in eight pages
        anda 7
        adda 8
        ld ac,y
        ld [y,$40]
        adda 1
        st [y,$40]
        ld [pad]
        anda 2
        beq .slow
        ld 5                    ; (slot)
        bra loop
        nop
.slow:  st [wait]          ; a cell behind all others
.wait:  sync
        ld [wait]
        suba 1
        bne .wait
        st [wait]          ; (slot)
        bra loop
        nop
        stubs

        section other in rom within=256
; A bar becomes the picture that the counter says. Back by `ret`.
paint:  sync
        ld [at]
        anda 3
        adda list
        ld ac,x
        ld [n]
        adda [at]
        anda 3
        beq .none
        suba 1                  ; (slot)
        adda hi(red)
        bra .put
        st [x]                  ; (slot)
.none:  ld hi(red)
        st [x]
.put:   sync
        ld [ret],y
        targets sync
        jmp y,[ret + 1]
        nop
        stubs

; ---- lines

WIDE    equ 8           ; words in a row of a picture

; A picture: two rows of one bar. X points behind the page that comes after the next one.
macro strip(one, two)
        clock 0, rebase
        ld one,out,x++
        ld [x]
        ld two,out
        ld two,out
        ld two,out
        ld one,out
        clock 6, end
        jmp y,[row]
        ld ac,y                 ; (slot)
endm
macro bar(one, two)
        strip one, two
        strip two, one
endm
        section pictures in rom align=256, size=1024
red:    bar $c3, $c0
        ds $f0
green:  bar $cc, $c0
        ds $f0
blue:   bar $f0, $c0
        ds $f0
; What comes behind the last picture, in either row.
behind: repeat 2
        ld $c0,out
        ld hi(drawn),y
        jmp y,drawn
        nop
        ds WIDE - 4
        endr

        section handler in rom align=256, size=256
        repeat LIMIT
        nop
        endr
        clock 200
        clock 0, rebase
fallen: ld [fall],out           ; clock 0: hSync falls
        targets free, draw, frame, pulse
        bra [line]
        ld [count]              ; (slot)

; A line for blocks. AC = how many are to come, with this one.
free:   suba 1                  ; 3
        beq .last
        st [count]              ; (slot)
        bra .on
        ld low(free)            ; (slot)
.last:  ld low(draw)
        nop
.on:    st [line]               ; 8
        nop
        nop
        nop
        bra rest                ; 12
        ld $c0                  ; (slot)

; The last line: vSync falls with the next pulse,
frame:  ld 0                    ; 3
        st [fall]
        ld low(pulse)
        bra free.on             ; 6
        nop
; and rises with the one behind. The pad is read.
pulse:  ld $80                  ; 3
        st [fall]
        ld FREE
        st [count]
        ld in
        xora $ff
        st [pad]
        ld low(free)
        st [line]
        bra rest                ; 12
        ld $40                  ; (slot)

; A block goes on. AC = OUT for the rest of the line.
rest:   st [rise]               ; 14
        ld 1
.wait:  bne .wait
        suba 1                  ; (slot)
        nop                     ; 20
        nop
        ld [page],y
        nop
        ld [rise],out           ; 24: hSync rises
        clock 25
        resume
        jmp y,[back]
        ld FRESH                ; (slot)

; A block is late: AC = its page, [back] = its place, [left] = -LIMIT to -1.
        deadline 186
late:   st [page]
        ld low(fallen - LIMIT)
        suba [left]
        bra ac                  ; into the words before `fallen`
        nop

; A line with four pictures.
draw:   ld list,x               ; 3
        ld 8
.wait:  bne .wait
        suba 1                  ; (slot)
        ld [x]                  ; 23
        ld $c0,out
        ld ac,y
        ld $c0,out,x++
        ld [x]
        clock 28, end
        jmp y,[row]
        ld ac,y                 ; (slot)
; Behind them: the other row, or the last line.
drawn:  ld [row]                ; 66
        xora WIDE
        st [row]
        beq .both
        ld low(frame)           ; (slot)
        bra .on                 ; 71
        ld low(draw)            ; (slot)
.both:  nop                     ; 71
        nop
.on:    st [line]               ; 73
        ld 41
.burn:  bne .burn
        suba 1                  ; (slot)
        bra fallen - 39         ; 159
        nop

; Bars of colour. The processor makes the picture itself: each line is 200 clocks, and
; `scrimp check` proves that on every path. hSync is bit 6 of OUT, vSync bit 7, both low
; when they pulse; below are two bits each of blue, green and red.

        include <gigatron/wait.asm>

        section cells in zero
lines:  ds 1                    ; lines left, or pairs of them

; The pulse that begins a line, 25 clocks.
        macro pulse(bits)
        ld bits,out             ; hSync falls
        wait(23)
        ld bits | $40,out       ; and rises
        endm

; n dark lines, 2 or more. Clobbers AC.
        macro dark(n, bits)
        local line
        pulse(bits)
        ld n - 2
        st [lines]
        wait(173)
line:   pulse(bits)
        wait(170)
        ld [lines]
        suba 1
        st [lines]
        bge line
        nop                     ; executed before the jump is
        endm

; Eight bars of 20 clocks, as long as the picture is wide, and the lines left in AC.
; Change the colours: $c0 + 16 * blue + 4 * green + red.
        macro bars
        ld $c3,out              ; red
        wait(19)
        ld $c7,out
        wait(19)
        ld $cf,out              ; yellow
        wait(19)
        ld $cc,out              ; green
        wait(19)
        ld $fc,out              ; cyan
        wait(19)
        ld $f0,out              ; blue
        wait(19)
        ld $f3,out              ; magenta
        wait(19)
        ld $ff,out              ; white
        wait(18)
        ld [lines]
        ld $c0,out              ; black, until 12 clocks behind the next pulse
        endm

        section main in rom within=256
        lines 200               ; to be proven on every path,
        clock 0, rebase         ; beginning here
start:  dark(8, $00)            ; vSync
        dark(31, $80)
        pulse($80)
        ld 240                  ; pairs of lines with a picture
        st [lines]
        wait(173)
pair:   pulse($80)
        wait(11)
        bars
        wait(3)
        pulse($80)
        ld [lines]
        suba 1
        st [lines]
        wait(8)
        bars
        nop
        bne pair
        nop
        pulse($80)
        wait(173)
        bra start
        nop

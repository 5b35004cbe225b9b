; Clocks to be spent. Every word takes one clock; from six on a loop is shorter.

; Waits n clocks, 0 to 514. Clobbers AC if n is 6 or more. Words: n below 6, then 3 for
; odd n and 4 for even n. Its words must lie in one page.
        macro wait(n)
        local again
        assert n >= 0 && n <= 514, "`wait` takes 0 to 514 clocks"
        if n < 6
        repeat n
        nop
        endr
        else
        ld (n - 3) / 2
again:  bne again
        suba 1                  ; in the slot
        if (n - 3) % 2
        nop
        endif
        endif
        endm

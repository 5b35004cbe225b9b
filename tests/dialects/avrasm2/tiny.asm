; jumps go around the end of 8 KiB
.device ATtiny85
        rjmp end
        nop
.org 0xff8
back:   rjmp 0
        rcall 2
end:    rjmp back

        nop
.org 0
        ret

.if here == 0
        nop
.endif
here:   nop

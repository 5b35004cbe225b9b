        nop
.endif

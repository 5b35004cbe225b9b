	nop
/* never closed

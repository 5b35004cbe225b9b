; without a line that names the CPU
	org	100h
start:	lxi	sp,stack
	mvi	c,9
	lxi	d,hello
	call	5
	jmp	0
hello:	db	"hello$"
	ds	16
stack:	dw	start

	device zxspectrum48, $ff00
	org $6000
st:	ld a,(v)
v	equ $1234
w	equ 5, 2
x = 7
	module m
a:	nop
.b:	nop
	endmodule
mac	macro
.l:	djnz .l
	endm
	mac
	struct S
p	byte 1
	ends
q	S
	dw $$w, $$st, $$$st, $$$$st, $$m.a
	end st
	savesna "x.sna"

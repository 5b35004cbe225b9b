; A name that a later line defines in the section, macro call or repeat is meant there, not one
; above outside of it. Names of registers elsewhere are names.
	cpu z80
	org 100h
x:	nop
	section s
	dw x
	jr x
	ld hl,x+1
x:	nop
	dw x
	endsection
	dw x
m	macro
	jr x
	ld hl,x
x:	nop
	endm
	m
	m
	dw x
main:
.y:	nop
	jr .y
foo:
	jr .y
	dw .y
.y:	nop
	section t
	dw x
	section u
	dw x
x:	nop
	endsection
x:	nop
	dw x
	endsection
	irp p,1,2
	dw x
x:	nop
	endm
hx	equ 33
xl	equ 34
	ld e,hx
	ld a,xl+1

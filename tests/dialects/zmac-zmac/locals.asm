; Names with a dot are local between two labels; values and macros are no labels.
	org 100h
start:	ld b,5
.loop:	djnz .loop
	jr .done
value	equ 7
.v	equ 3
cnt	defl 1
	ld a,.v
.done:	nop
cnt	defl 2
second	jr .loop
.loop	jr .loop
	jr nz,.loop
	.jperror 0
	.jrpromote cnt-2
third: jr .skip
.skip: nop
	jr .skip
two	macro
	jr .in
.in:	nop
	endm
k1:	two
k2:	two
k3:	rept 3
	nop
	jr .behind
	endm
.behind:
	dw .behind,k3
k4:	irp q,<1,2>
lab&q:	jr .same
.same:	db q
	endm
	dw .same

; repeats
	org 0
	REPT 3
	nop
	ENDM
	REPT 4, ?i
	db ?i
	ENDM
	REPT 3, ?i, 10
	db ?i
	ENDM
	REPT 3, ?i, 10, -3
	dw ?i
	ENDM
	REPT 0
	db 1
	ENDM
rr:	REPT 3, ?i
x:	db ?i
	jr x
	ENDM
	dw rr.0, rr.1.x, rr.2.x
	REPT 2, ?i
	REPT 2, ?j
	db ?i * 16 + ?j
	ENDM
	ENDM
	IRP ?v, 1, 2 + 3, "a", x1
	db ?v
	ENDM
x1: equ 33H
	IRP ?r, b, (hl), (ix + 2), 5
	ld a,?r
	ENDM
	IRP ?op, rlca, cpl
	?op
	ENDM
ll:	IRP ?v, 4, 5
y:	dw ?v, y
	ENDM
	dw ll.1.y, ll.0
n: equ 2
	REPT n + 1
zz:	jr zz
	ENDM
	IRP ?s, "abc", "d"
	db ?s
	ENDM

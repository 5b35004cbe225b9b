; macros: arguments, defaults, scopes
	org 8000H
one:	MACRO ?a
	ld a,?a
	ENDM
two:	MACRO ?a, ?b = 7
	ld a,?a * 2
	ld b,?b
	ENDM
	one 5
	one (5)
	one (hl)
	one (ix + 5)
	one b
	one x + 1
	two 1 + 2
	two 3, 4
x: equ 9
any:	MACRO ?op, ?arg
	?op ?arg
	?op (ix + ?arg2)
	ENDM
?arg2: equ 3
	any inc, (hl)
	any dec, (iy - 1)
loop:	MACRO ?count
	ld b,?count
again:	djnz again
	ENDM
first:	loop 3
	loop 4
	dw first.again, first, loop.again
struct:	MACRO
word:	dw 0
byte:	db 0
room:	ds 10H
size:
	ENDM
	ld a,(ix + struct.byte)
	ld bc,struct.size
	ld a,(iy + struct.room + 2)
outer:	MACRO ?v
	inner ?v + 1
	ENDM
inner:	MACRO ?v
	db ?v, ?v * 2
	ENDM
	outer 5
here:	MACRO ?a
	nop
	dw ?a, $
	ENDM
	here $
deep:	MACRO ?o
	ld hl,?o.data
	ld a,(?o)
	ENDM
obj:	PROC
data:	db 1
	ENDP
	deep obj
scope:	PROC
hidden: equ 77H
closed:	MACRO
	db hidden
	ENDM
	closed
	ENDP
hidden: equ 11H
	scope.closed
	later 1
later:	MACRO ?z
	db ?z
	ENDM
	later 2
twice:	MACRO ?f
	?f 1
	?f 2
	ENDM
	twice later
cond:	MACRO ?n
	IF ?n > 1
	db 11H
	ELSE
	db 22H
	ENDIF
	ENDM
	cond 1
	cond 2

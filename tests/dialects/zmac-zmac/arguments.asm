; Arguments lose their quotes, parameters stand in texts too, `$` in names says nothing.
	org 8000h
emit	macro text
	db 'text'
	db "text", '-&text', 'a text'
	endm
	emit 5
	emit "ab"
	emit 'c, d'
	emit <e f>
	emit "g""h"
val	macro text
	db text
	endm
	val "33"
	val '"q"'
lay	macro n,v
lab$n:	dw v$n
lab$n$b: dw lab$n, $
	db '$'
	ld hl,$
	endm
v1	equ 1234h
	lay 1,v
	ld hl,lab1
	ld hl,lab1b
	irp q,<"ab",'c',5>
	db "q"
	endm
	irpc q,"xyz"
	db 'q'
	endm
fresh	macro ?l
	jr .`?l
	nop
.`?l:	nop
	endm
	fresh
	fresh

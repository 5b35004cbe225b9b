	.macro	load reg, value=5
	ld \reg,\value
	.endm
	load a
	load b,6
	LOAD c,'x'
	load hl, 1 + 2
	.macro	twice n
l\@:	djnz l\@
	.rept \n
	nop
	.endr
	.endm
	twice 2
	twice 1
	.irp r,a,b,c
	inc \r
	.endr
	.irpc d,123
	.db \d
	.endr
	macro each x:vararg
	.db \x
	endm
	each 1,2,"three"
	.macro count n
	.if \n
	.db \n
	count \n-1
	.endif
	.endm
	count 3
	.altmacro
	.macro wait n
	local again
	ld b,n
again:	djnz again
	.endm
	wait 5
	wait 6
	.noaltmacro
	.macro ld8 r,v
	.ifc \r,a
	ld a,\v
	.exitm
	.endif
	ld b,\v
	.endm
	ld8 a,1
	ld8 c,2
	rept 2
	rept 2
	halt
	endr
	nop
	endr

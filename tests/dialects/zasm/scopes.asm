	org 0
foo:	nop
#local
foo:	nop
	jp foo
	jp bar
glob::	nop
val::	equ foo+1
	.globl decl
decl:	nop
#local
	jp foo
inner:	jp inner
#endlocal
inner:	jp inner
#endlocal
bar:	jp glob
	jp foo
	dw val,decl
	.local
foo:	jp foo
	.endlocal

one	equ 1
	.if one
	.db 1
	.else
	.db 2
	.endif
	if one-1
	db 3
	elseif one
	db 4
	else
	db 5
	endif
	.ifdef one
	.db 6
	.endif
	.ifndef two
	.db 7
	.endif
	ifdef two
	db 8
	endif
	.ifeq 0
	.db 9
	.endif
	.ifgt one
	.db 10
	.endif
	.ifb
	.db 11
	.endif
	.ifc a b,a b
	.db 12
	.endif
	.if 0
	.if 1
	.db 13
	.else
	.db 14
	.endif
	nonsense here
	.endif
x:	nop
	.if .-x
	.db 15
	.endif
	.include "part.inc"
	.end
	.db 99

	.area _CODE
one = 1
	.if one
	.db 1
	.else
	.db 2
	.endif
	.ifeq one
	.db 3
	.endif
	.ifne one
	.db 4
	.endif
	.ifgt one
	.db 5
	.endif
	.iflt one
	.db 6
	.endif
	.ifge one-1
	.db 7
	.endif
	.ifle one
	.db 8
	.endif
	.if eq,0
	.db 9
	.endif
	.if 1
	.db 10
	.ift
	.db 11
	.iff
	.db 12
	.iftf
	.db 13
	.endif
	.iif one .db 14
	.iif one-1,.db 15
	.if 0
	.if 1
	.db 16
	.else
	.db 17
	.endif
	nonsense here
	.endif
	.include "part.inc"

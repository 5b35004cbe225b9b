; What stands behind a text or from a question mark on is not read.
	.org	$4000
	.db	"a"+1
	.db	"a"+1,"b"
	.db	"abc"+1
	.dw	"a"+1
	.db	1?2:3
	.db	5>3?7:8
	.db	1,2?3:4,5
	.db	"a","b"+1
ixl	.equ	5
	ld	a,ixl
	ld	b,ixl+1
IXH:	ld	hl,IXH

; What stands behind #if is a value as elsewhere; macros that grow; a comma at the end.
FALSE	.equ	0
TRUE	.equ	!FALSE
platform .equ	1
custom	.equ	1
	.org	100h
#if (platform=custom)
	.db	1
#endif
	#if ($ = 101h)
	.db	2
	#endif
#if 1+platform*3 = 6	; from left to right
	.db	3
#else
	.db	4
#endif
#IF (TRUE) & ($ != 100h)
	.db	TRUE,!5,~!0,-!1
#ENDIF
#ifdef FALSE
	.db	9
#endif
#define size 1
#define size 2
	.db	size
#define set(r,v) \
#defcont \	ld r,v
#defcont \	inc r
	set(b,5)
#DEFINE list .db 1
#DEFCONT ,2
	list
#defcont ,3
	list
#define sum(x) x+1
#defcont +x
	.db	sum(3)
#define last 7\
	.db	last
	.db	8,
	.dw	9, 10,
	.end

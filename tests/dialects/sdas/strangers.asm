; Values are divided without sign; any sign may stand around a file's name; `##` is `#`; a comma
; behind the name of a macro.
	.area _CODE
W = 17
	.dw -W/4, -18%4, 18/-4, (-18/4)>>16, (-18/4)*2, 1-19/4
	ld de,#-W/4
	ld hl,##W+1
	.macro m,?l
	jr l
	.dw l
l:	nop
	.endm
l:	nop
	m
	m
	.dw l
	.include 'part.inc'
	jp po,$1
	ei
$1:
	jp (hl)

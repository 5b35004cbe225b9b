; Any sign stands around the name of a file.
	.area CODE (ABS)
	.org 0
	nop
	.include /part.inc/
	.include +part.inc+
	.include "part.inc"
	.db 1

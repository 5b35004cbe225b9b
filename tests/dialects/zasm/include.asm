	org 0
	include "part.inc"
#include "part2.inc"
#insert "data.bin"
	incbin "data.bin"
*INCLUDE "part2.inc"
	dw inpart

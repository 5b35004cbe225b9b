; files
	org 1000H
	INCLUDE "part.inc"
	INCLUDE ONCE "part.inc"
	dw included
	INCBIN "part.bin"
	INCBIN "part.bin",3
	INCBIN "part.bin",7,4
	WARNING "not an error"
	db 1
	END
	not read

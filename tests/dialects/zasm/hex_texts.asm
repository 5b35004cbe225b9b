	org 0
	db $1234
	db $12,$0f
	dm $0102030405
	defm $abcdef
	dw $1234

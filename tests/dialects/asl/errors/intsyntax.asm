	cpu	z80
	intsyntax	+foo

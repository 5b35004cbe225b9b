	cpu	z80
	enum	5

	cpu	z80
	db	~-1

	cpu	z80
	public	x

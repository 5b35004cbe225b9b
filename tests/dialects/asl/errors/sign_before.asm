	cpu	z80
	db	5--1

	cpu	z80
	db	"abc

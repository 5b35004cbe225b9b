	cpu	z80
	charset	'a',
	db	"a"

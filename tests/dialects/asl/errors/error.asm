	cpu	z80
	error	"stop"

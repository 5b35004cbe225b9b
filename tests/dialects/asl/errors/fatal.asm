	cpu	z80
	fatal	"stop"

	cpu	z80
	include	"nowhere.inc"

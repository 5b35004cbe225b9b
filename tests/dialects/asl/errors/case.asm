	cpu	z80
	case	1

	ld bc,de

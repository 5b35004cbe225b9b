	cpu	z80
	db	$12

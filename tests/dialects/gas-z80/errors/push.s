	push a

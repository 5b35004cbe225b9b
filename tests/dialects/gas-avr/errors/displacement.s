	ldd r16, Y+64

	in r16, 64

	cpu	z80
	section	one
	endsection	two

	cpu	z80
	endsection

	in a,(bc)

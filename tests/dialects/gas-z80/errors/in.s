	in a,5

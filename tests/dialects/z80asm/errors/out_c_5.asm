	out (c),5

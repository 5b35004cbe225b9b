	frob a

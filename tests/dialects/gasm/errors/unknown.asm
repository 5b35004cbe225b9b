 frob 5

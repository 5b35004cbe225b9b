 mulub b,a

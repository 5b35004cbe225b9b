	ds -1

	add ix,hl

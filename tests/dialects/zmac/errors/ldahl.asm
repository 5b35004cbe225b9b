 add ix,hl

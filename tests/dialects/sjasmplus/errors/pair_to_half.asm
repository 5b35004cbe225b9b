 ld b,hl

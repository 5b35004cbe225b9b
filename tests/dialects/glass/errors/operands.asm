 ld (hl),(hl)

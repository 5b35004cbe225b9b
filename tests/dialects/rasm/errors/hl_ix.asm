 ld hl,ix

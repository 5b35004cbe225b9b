 ld (ix+128),a

 ld ixh,h

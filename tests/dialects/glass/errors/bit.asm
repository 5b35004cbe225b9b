 bit 8,a

 ld (bc),d

	jr 1b

	movw r1, r2

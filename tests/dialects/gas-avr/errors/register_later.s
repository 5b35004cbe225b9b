	mov later, r1
later = 5

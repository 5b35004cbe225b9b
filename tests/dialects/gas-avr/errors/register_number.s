	mov 32, r1

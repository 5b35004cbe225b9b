        db 5 ^ 1

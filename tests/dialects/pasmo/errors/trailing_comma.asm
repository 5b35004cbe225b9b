        db 1,

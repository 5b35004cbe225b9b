        db 12x

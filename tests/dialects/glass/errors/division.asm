 db 1 / 0

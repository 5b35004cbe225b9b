db 1

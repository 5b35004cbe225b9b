 db 256

 db 10d

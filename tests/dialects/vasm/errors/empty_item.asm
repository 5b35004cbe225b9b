 db 1,

 db 300

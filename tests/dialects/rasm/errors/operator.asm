 db 1+

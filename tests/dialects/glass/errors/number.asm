 db 12x

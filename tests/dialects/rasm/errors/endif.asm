 if 1
 db 1

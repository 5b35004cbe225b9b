 rept 2
 db 1

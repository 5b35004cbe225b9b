m macro
 db 1

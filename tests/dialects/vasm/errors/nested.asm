n macro
m macro
 db 1
 endm
 endm
 n

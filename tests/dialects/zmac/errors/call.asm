m macro a
 db a
 endm
 m 1 2

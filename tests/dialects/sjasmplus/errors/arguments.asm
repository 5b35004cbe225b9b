 macro m a
 db a
 endm
 m
 m 1,2

 org 0
m macro &x,&y
 ld &x,&y
 endm
 m a

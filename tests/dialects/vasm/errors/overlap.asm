 org 5
 db 1
 org 5
 db 2

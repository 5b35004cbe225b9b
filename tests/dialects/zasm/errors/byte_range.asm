 org 0
 db 300

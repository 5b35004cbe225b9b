start:
 org 8
 db 1
 dw start

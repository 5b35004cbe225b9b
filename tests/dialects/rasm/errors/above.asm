 org #10000
 db 1

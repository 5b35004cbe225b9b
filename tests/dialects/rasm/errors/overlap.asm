 org #100
 db 1,2,3
 org #101
 db 4

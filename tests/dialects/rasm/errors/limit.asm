 limit #10
 org #20
 db 1

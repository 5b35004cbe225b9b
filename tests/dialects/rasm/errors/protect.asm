 protect #10,#20
 org #18
 db 1

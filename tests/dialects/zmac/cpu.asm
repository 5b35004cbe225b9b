 org 0
 cpi
 .z80
 jp 5
 .8080
 jp 5
 cp 5

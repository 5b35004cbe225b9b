 org 0
 jp 5
 cp 5
 cpi 5
 rlc
 rrc
 cp b
 mov a,m
 jmp 5
 call 5
 jm 9
 .z80
 jp 5
 cpi
 rlc b
 .8080
 jp 5
 dw jp,cp,cpi,rlc

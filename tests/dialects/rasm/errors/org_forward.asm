 org n1
n1 nop

 org 0
x: ds 200
 jr x

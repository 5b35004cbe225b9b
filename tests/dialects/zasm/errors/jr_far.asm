 org 0
 jr $+200

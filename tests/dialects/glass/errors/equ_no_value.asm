x: equ
 db x

x: ds y
y: equ z
 nop
z: ds 1

; As Telemark TASM 3.2 takes it; uz80as does not.
 .org 0
 nop

#END

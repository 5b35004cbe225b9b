#target rom
#target bin
#code CODE,0
 nop

#target cpm
#code CODE,0
 nop

#target rom
#code CODE,0,4
 ds 5

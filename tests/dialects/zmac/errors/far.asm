lab: nop
 ds 200
 jr lab

l nop
 ds 200
 jr l

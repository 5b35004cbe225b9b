m: MACRO
 nop

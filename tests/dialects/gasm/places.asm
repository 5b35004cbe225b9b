_startAddress_ EQU 0x0400
table EQU 0x0500
back EQU 0x0420
  LDWI table
  BRA back
back LDI 1
again SUBI 1
 BNE again
 BEQ back
 BRA 0x20
 SYS 30
 SYS 28
 SYS 284
table DB 1 2 'text' 5 table 'it\'s'
 DW 1 table table+1 0xFFFF

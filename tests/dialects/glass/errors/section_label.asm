rom: nop
 SECTION rom
 nop
 ENDS

 SECTION rom
 nop
 ENDS

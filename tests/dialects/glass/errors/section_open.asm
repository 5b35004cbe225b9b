rom: ds 10H
 SECTION rom
 nop

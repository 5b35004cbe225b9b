rom: ds 2
 SECTION rom
 db 1, 2, 3
 ENDS

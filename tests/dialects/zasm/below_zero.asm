; Values below zero are cut, down to the one that leaves nothing.
 org 8000h
 db -128, -129, -255, -256
 ld a,-200
 ld (ix+1),-200
 dw -32769, -65536
 ld bc,-65535
 ds 2,-200

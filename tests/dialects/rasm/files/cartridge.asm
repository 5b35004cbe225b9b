 buildcpr "game.cpr"
 bank 0
 org #4100
start ld hl,there : ld b,5
 bank 2
there ds 300,7 : dw $,$$
 bank 0
 jp start : dw $
 bank 31
 nocode
v ds 4
 code
 dw v

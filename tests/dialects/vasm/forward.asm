 org $8000
 ld hl,end
 ld bc,end-start
 ld a,later
 ds size
 jp start.on
start: nop
.on: dw val
val equ end+1
size = 3
later = size+1
e2 = $
 nop
 dw e2
end:

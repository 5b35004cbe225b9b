; The accumulator may be written where nothing else is meant.
 org 0
 cp a,1
 sub a,b
 and a,5
 or a,(hl)
 xor a,a
 cp a
 sub a,(ix+1)
 sub  a , ixl
 add a,b
 add b
 adc a,2
 sbc a,c

; A block of relocation does not end in a piece that runs elsewhere.
 org 0
 relocate_start
 disp 5
 nop
 relocate_end
 ent

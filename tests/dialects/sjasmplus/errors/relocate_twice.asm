; Blocks of relocation do not nest.
 org 0
 relocate_start
 relocate_start
 nop
 relocate_end

; A block of relocation that nothing ends.
 org 0
 relocate_start
 nop

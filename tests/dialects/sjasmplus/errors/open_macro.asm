 macro x
 nop

 macro m
 nop

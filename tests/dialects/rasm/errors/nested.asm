 macro m
 macro n
 nop
 mend
 mend

 macro m
 nop
 mend
 macro m
 nop
 mend

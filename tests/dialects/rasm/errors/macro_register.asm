 macro bc
 nop
 mend

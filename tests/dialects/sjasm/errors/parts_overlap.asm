 defpage 0
 page 0
 code @ 5
 nop
 code @ 5
 nop

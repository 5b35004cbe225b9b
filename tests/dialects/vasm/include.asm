 include "part.inc"
 include part.inc
 incdir "more"
 include "deep.inc"
 incbin "part.inc",1,3
 incbin part.inc,2
 incbin "part.inc",10,0

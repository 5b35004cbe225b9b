 ld b,hl
 .end

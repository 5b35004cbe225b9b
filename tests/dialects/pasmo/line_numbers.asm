10      ld a,1
20 lab  ld b,2
30lab2: ld c,3
        dw lab,lab2

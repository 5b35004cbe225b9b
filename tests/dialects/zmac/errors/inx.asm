 inx c

 repeat 70000
 nop
 rend

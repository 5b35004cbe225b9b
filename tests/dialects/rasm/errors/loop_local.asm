 repeat 2
@x nop
 rend
 jr @x

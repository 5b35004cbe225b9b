 repeat 3
 nop
 until 1

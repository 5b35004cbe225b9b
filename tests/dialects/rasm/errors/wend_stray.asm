 nop
 wend

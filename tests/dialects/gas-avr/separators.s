; atmega328p
# A comment at the start of a line.
 # And behind blanks.
	nop $ ret $ .byte 1 ; comment $ nop
/* over
   lines */ nop /* within */ $ nop
one: two: nop
three : ret
	LDI R16 , 0X10 $ Ldi r17,(3)

; any text before a colon, but only plain names can be used
$END:	nop
#done$:	db 1
last:	dw last

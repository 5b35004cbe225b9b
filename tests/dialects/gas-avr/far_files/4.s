	.comm known,9,1
	.text
	.global last
last:	ret
	.word gs(tail)
tail:	ret
	.ident "four"
	.comm fresh,2,1

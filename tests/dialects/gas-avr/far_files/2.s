	.text
	.global far1, far2
far1:	ret
	.word gs(own), gs(last)
far2:	ret
own:	ret
	.comm pointer,2,1
	.comm wide,8,1
	.stabs "x",100,0,2,0

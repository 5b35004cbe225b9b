; numbers with fractions
	cpu	z80
half	equ	0.5
	dw	1.5,-0.25,half,65504.0
	dd	1.5,3.14159,half*3,1e10
	dq	1.5,-2.25,constpi
	dt	1.5,-3.0
	db	int(3.7*10),int(sqrt(16.0)),int(sin(0.5)*100)
	dd	2^0.5,1.0/3
	db	half=0.5,half<0.25

; ORG does not move the output
	org 10
	db 1
a1:	org 5
	db 2
b1:	dw a1,b1
	org 0xffff
	db 1,2
c1:	dw c1

; atmega328p
; Levels of the operators, truth of comparisons, shifts.
a = 5
	.long 2|1+4, 6&3+1, 1<<2+1, 7^2*3, 10-4-3, 100/7%4
	.long 1==1, 1!=1, 1<>2, 3<2, 2<=2, 3>2, 2>=3
	.long 3&&4, 0||2, 0&&1, !5, !0, ~0, -a, +a
	.quad -1>>4, 1<<40, -7/2, -7%4
	.byte (a+1)*2, a<<1, 'a'+1
	.byte -200, 255, -255

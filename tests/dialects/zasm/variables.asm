	org 0
x	= 1
	db x
x	= 2
	db x
y	set 3
	db y
y	set y+1
	db y
z	defl 4
	db z
z	defl z+x
	db z
s	set 5
	set 3,a
lab	set 2,(hl)
	dw lab

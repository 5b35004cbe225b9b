; the first lines: labels, values, data
	cpu	z80
	org	8000h
count	equ	5
size	= count*2
step	set	1
step	set	step+1
start:	ld	a,count
	ld	hl,table
	ld	b,size
loop:	add	a,(hl)
	inc	hl
	djnz	loop
	ld	(result),a
	jp	start
table:	db	1,2,'A',"text",-1,count dup (7,8)
	dw	start,$,'AB',"AB",-2
	dd	12345678h,'ABCD'
result:	ds	1
next	db	step
	end	start

; the other CPU
	cpu	8080
	org	100h
start:	lxi	h,text
	mov	a,m
	mvi	b,'x'
	cpi	0
	jz	done
	call	5
	inx	h
	jmp	start
done:	ret
	sta	1234h
	lhld	1234h
	dad	d
	rst	7
	in	1
	out	2
	adi	3
	push	psw
	stax	b
	sphl
	xthl
	rnz
	cnc	start
	jpe	start
text:	db	"8080",0

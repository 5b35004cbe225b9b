; sums of texts and numbers
	cpu	z80
x	equ	'a'+1
y	equ	'a'+'b'
	ld	hl,' '+' '
	ld	hl,'a'+'b'+1
	ld	hl,1+'a'+'b'
	ld	hl,y
	ld	hl,('a'+1)*2
	ld	hl,'a'+('b'-'a')
	ld	hl,lab+'a'
	ld	a,'ab'<'b'
	dw	'ab'+1,x
	dw	'a'+'b','a'+"b","a"+'b'
	dw	'a'+'b'+'c',('a'+1)+'b'
	dd	'a'+'b'+'c',"ab"+"cd",'abc'+1
	db	'ab'+1,"ab"+"cd",'a'+300,-'a'
	dw	'a'-1,'a'+(-98)
lab:
	if	'ab'<'b'
	db	1
	endif
	db	firstbit(1)&255,firstbit(5),firstbit(6),firstbit(7),firstbit(9)

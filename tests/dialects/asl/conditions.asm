; conditionals and switch
	cpu	z80
x	equ	3
	if	x=3
	db	1
	elseif	x=4
	db	2
	else
	db	3
	endif
	if	x=5
	db	1
	elseif	x=3
	db	2
	elseif
	db	3
	endif
	ifdef	x
	db	4
	endif
	ifndef	y
	db	5
	endif
	ifdef	later
	db	6
	else
	db	7
	endif
later:	switch	x
	case	1,2
	db	8
	case	3,4
	db	9
	elsecase
	db	10
	endcase
	switch	"ab"
	case	"ab"
	db	11
	elsecase
	db	12
	endcase
	.switch	9
	case	1
	db	13
	elsecase
	db	14
	endcase
	ifused	x
	db	15
	endif
	ifnused	zz
	db	16
	endif
	if	0
bad	macro
	if	1
	endm
	rept	2
	endif
	endm
	switch	1
	case	1
	db	17
	endcase
	if	1
	db	18
	endif
	else
	db	19
	endif
	ifb	
	db	20
	endif
	ifnb	a
	db	21
	endif

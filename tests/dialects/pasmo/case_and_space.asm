        LD  A , B
	ld	a	,	( hl )
        Ld A,(Hl)
        DEFB 1 , 2
X:NOP
        EX AF , AF'

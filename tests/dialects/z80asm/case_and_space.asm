	LD  A , B
	Ld a,(HL)
	ld(hl),a
	db"text"
	DEFB 1 , 2
X:NOP
	EX AF,AF'
	JP (IX)

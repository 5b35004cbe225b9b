	ld a,(5)
	ld a,(5)+1
	ld a,(1)+(2)
	ld hl,(5)
	ld hl,(5)+1
	ld (5),hl
	ld b,(5)
	cp (5)
	jp (5)
	call (5)
	ld sp,(5)
	ld bc,(5)+1
	db (1), -(1)

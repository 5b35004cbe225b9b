	ld a,"a"

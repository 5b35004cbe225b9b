	ld a,'ab'

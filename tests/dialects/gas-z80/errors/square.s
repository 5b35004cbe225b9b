	ld a,[hl]

 ld a,(ix - 129)

	db "a"+1

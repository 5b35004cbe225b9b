	.db "a\nb\"c\\",'x'
	.text "it"
	ld a,'x'
	.db "a",1,"bc"
	.db ';' ; a comment
	.end

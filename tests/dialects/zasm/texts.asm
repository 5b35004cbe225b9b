	org 0
	db "AB"+80h,'AB'-1,"a","b"+1,"it"
	defm "end"|80h,"x"|80h
	db "a\",'\n'
	.ascii "one","two"
	.asciz "ab"
	.text 'it',0
	.long 12345678h
	ld a,"x"
	cp 'y'
	db ';', ";;" ; a comment

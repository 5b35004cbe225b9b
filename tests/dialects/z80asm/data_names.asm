	db 1
	defb 2
	dm "text"
	defm "text",3
	dw 4
	defw 5,6

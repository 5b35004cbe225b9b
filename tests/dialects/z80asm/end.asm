	db 1
	end start_here
	db 2
	garbage

; Behind the end of memory names go on counting, and only bytes begin at 0 again.
	org 0FFF0h
first:
	ds 15,1
	db 1
behind:
	org 08000h
	dw (behind-first)/2, behind/2, ($-first)&0FFFFh
	db behind=65536, behind-first=16

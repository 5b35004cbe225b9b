; conditions
	org 0
yes: equ 1
no: equ 0
	IF yes
	db 1
	ELSE
	db 2
	ENDIF
	IF no
	db 3
	IF yes
	db 4
	ELSE
	db 5
	ENDIF
	ELSE
	db 6
	ENDIF
	if yes = 1 && no = 0
	db 7
	endif
	IF $ > 2
	db 8
	ENDIF
	IF no
	db undefined
	ENDIF
lab:	IF yes
in:	db 9
	ENDIF
	dw lab
	IF yes
v: equ 5
	ELSE
v: equ 6
	ENDIF
	db v

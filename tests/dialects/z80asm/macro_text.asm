; parameters are replaced in strings and words too
mm:	macro par
	db "<par>"
	ld hl,lab_par
	endm
lab_x:	mm x
	mm y
lab_y:

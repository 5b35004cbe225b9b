; Segments grow side by side and are laid behind each other.
#target rom
#code BOOT,0,16
	jp start
#code MAIN,0x10
start:	ld hl,table
	jp BOOT
#code BOOT
	ret
	ds 2
#code MAIN
table:	dw BOOT_end,BOOT_size,MAIN,MAIN_size,MAIN_end
	org 0x24
	db 1
	align 8
	db 2

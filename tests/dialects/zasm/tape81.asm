; A ZX81 program: the size is an expression of what follows.
#target p
#code SYSTEM,0x4009,end-0x4009
versn:	db 0
	dw 1,dfile,dfile+1,vars
	org 0x4014
eline:	dw end
	org 0x4029
	dw dfile
	org 0x403b
	db 0x40
	org 0x407d
	ld a,(versn)
dfile:	db 0x76
	defs 24,0x76
vars:	db 0x80
end:

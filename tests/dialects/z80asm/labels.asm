l1:	ld a,b
l2:ld a,c
   l3: ld a,d
l4:
	ld a,e
l_5.x:	nop
Label:	equ 1
label:	equ 2
	dw l1,l2,l3,l4,l_5.x,Label,label

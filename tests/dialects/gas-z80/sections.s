	.text
	ld hl,value
	ld de,room
	ld bc,own
	call late
	ret
	.data
value:	.word room,own
	.section .rodata
own:	.byte 7,8
	.bss
room:	.space 5
	.comm shared,3
	.text 1
late:	ld a,(shared)
	ret
	.text 0
	nop
	.section .isr
	jp late
	.section other
	.byte 9
	.word __Ltext,__Htext,__Ldata,__Hdata,__Lbss,__Hbss,__Labs,__Habs
	.data
	.byte 3

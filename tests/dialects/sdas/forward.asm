; names from below
	.area _CODE
	.ds room
	ld hl,#end
	.if flag
	.db 1
	.endif
	.ds room-1
	ld a,#<room
end:	.db end-start
room = 4
flag = 1
start = 2

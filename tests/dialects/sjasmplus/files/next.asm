	device zxspectrumnext
	org $8000
start:	nop
	jp start
	mmu 6 7, 40
	org $c000
	db "bank 20"
	mmu 7 n, 60
	org $e000
	ds 20000, $55
here:	dw here
	db $$here
	savenex open "n.nex", start, $bff0, 0, 3
	savenex core 3,1,5
	savenex cfg 4,0,0,0
	savenex cfg3 1,0
	savenex bar 1,$e3,50,2
	savenex palette default
	savenex screen l2 20,0
	savenex copper 40,0
	savenex auto
	savenex close
	savenex open "m.nex", start
	savenex cfg 4
	savenex bar 1,$e3
	savenex screen shr 3
	savenex bank 5,2,0
	savenex auto 20, 30
	savenex close

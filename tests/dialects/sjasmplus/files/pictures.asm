	device zxspectrumnext
	org $8000
	savenex open "a.nex"
	savenex palette mem 10,0
	savenex screen lr
	savenex close
	ds 100, 7
	savenex open "b.nex", $8000, $8010
	savenex screen scr
	savenex auto 5
	savenex close "t1.inc", "t2.inc"
	savenex open "c.nex", $8000
	savenex palette bmp "p.bmp"
	savenex screen bmp "p.bmp", 1, 3
	savenex bank 5
	savenex close
	savenex open "d.nex", $8000
	savenex screen bmp "q.bmp"
	savenex close
	savenex open "e.nex", $8000
	savenex screen tile 1,2,3,4
	savenex auto
	savenex close
	savenex open "f.nex", $8000
	savenex screen tile 1,2,3,4,0
	savenex cfg3 1,1,$4000,100

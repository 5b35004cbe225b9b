	device zxspectrum128
	org $8000
start:	ld a,1
	ld bc,$7ffd
	out (c),a
	call data
	ret
	slot 3
	page 1
	org $c000
data:	db "page one", $$, $$data, $$start
	page 3
	org $c000
d3:	db "page three", $$d3, $$later
	disp $4000
x:	db 1,2,3, $$x
	dw $$$
	ent
	mmu 1, 5, $4000
	db "scr"
	mmu 3 n, 0
	org $fffe
later:	db 1,2,3,4,5
l2:	dw l2
	savebin "a.bin", $8000, 20
	savesna "a.sna", start
	savebin "b.bin", $c000
	savedev "c.bin", 1, 0, $8000
	save3dos "d.bin", $8000, 16
	saveamsdos "e.bin", $8000, 16, $8000
	savehex "f.hex", $8000, 100
	savehob "g.$c", "game.C", $8000, 300
	emptytap "t.tap"
	savetap "t.tap", BASIC, "bas", $8000, 20, 10
	savetap "t.tap", CODE, "code", $8000, 20
	savetap "t.tap", CODE, "longer name than", $8000, 20, 1, 2
	savetap "t.tap", NUMBERS, "n", $8000, 20, 3
	savetap "t.tap", CHARS, "c", $8000, 20, 5
	savetap "t.tap", HEADLESS, $8000, 20
	savetap "t.tap", HEADLESS, $8000, 20, 17
	tapout "t.tap", 100
	db 1,2,3
	tapend
	emptytrd "d.trd", "label"
	savetrd "d.trd", "one.C", $8000, 300
	savetrd "d.trd", "two.B", $8000, 300, 10
	savetrd "d.trd", "thr.B", $8000, 300, 10, 200
	savetrd "d.trd", |"one.C", $8001, 600
	savetrd "d.trd", &"two.B", $8001, 600
	savetrd "d.trd", |"one.C", $8001, 100
	savetrd "d.trd", "abc.dat", $8001, 100
	labelslist "l.lst"
	cspectmap "m.map"
	output "o.bin"
	db 4,5,6
	outend

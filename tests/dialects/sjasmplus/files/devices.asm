; two devices and none
before: db 1
	device zxspectrum128
	org $c000
a1:	db "one"
	page 1
	db $$
	device zxspectrum48
	org $c000
b1:	db "two", $$, $$a1, $$b1
	device none
	org $c000
c1:	db "three"
	device zxspectrum128
	savebin "a128.bin", $c000, 10
	page 0
	savebin "a128b.bin", $c000, 10
	device zxspectrum48
	savebin "a48.bin", $c000, 10
	defdevice own, $1000, 20, 3, 4, 7
	device own
	org $1ffe
	db 1,2,3,4,5, $$
	savedev "own.bin", 0, 0, $5000
	mmu 0 2, 10
	org $0ffe
	db 9,8,7,6, $$
	org $2000, 12
	db 5,5,$$
	slot $3000
	page 2
	org $3000
	db 7
	mmu 4 e, 2, $4ffe
	db 1,2
	savedev "own2.bin", 0, 0, $14000
	labelslist "l.lst"
	cspectmap "c.map"

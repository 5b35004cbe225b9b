	device zxspectrum48
	org $8000
start:	jp start
	savesna "s48.sna", start
	org $ff50
	ds 20, 1
	savesna "s48b.sna", start

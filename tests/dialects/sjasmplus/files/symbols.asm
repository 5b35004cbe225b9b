	device zxspectrum128
	org $8000
Zed: nop
abc: nop
Abd: nop
_x: nop
.loc: nop
B2: nop
B10: nop
mac macro
.in: djnz .in
	endm
	mac
main.sub: nop
1: djnz 1b
	labelslist "l.lst"
	cspectmap "m.map"

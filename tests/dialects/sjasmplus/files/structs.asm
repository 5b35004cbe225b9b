; What a list of symbols says of structs: their sizes and offsets, what lies at an address,
; labels of instances, and the pages that these are in.
	device zxspectrumnext
	cspectmap "s.map"
	labelslist "s.lst"
	struct Ball
x byte
y word
	ends
	org $8000
start: ld a,(first.x)
first Ball = $8a80
again Ball = start
whole Ball 1,2
	mmu 6,30
	org $c000
far Ball
other Ball = $c010
	struct Late
z byte
	ends
	dw $$other,$$other.y,$$far.y,$$Ball,$$Late.z,$$first.x
	disp $a000
moved Ball = $c020
	dw $$moved,$$moved.x
	ent
	disp $a000,40
paged Ball = $c020
	dw $$paged,$$paged.x
	ent
limit equ $c010
	device noslot64k
plain Ball = $1234
	dw $$plain

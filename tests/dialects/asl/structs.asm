; structs and unions
	cpu	z80
point	struct
x	db	?
y	dw	?
point	endstruct
	db	point_x,point_y,point_len
rec	struct	dots
name	ds	4
kind	db	?
	union
word	dw	?
byte	db	?
	endunion
pos	point
rec	endstruct	reclen
	db	rec.name,rec.kind,rec.word,rec.byte,rec.pos,rec.pos_y,reclen
plain	struct	noextnames
one	db	?
two	dd	?
	endstruct
	db	plain_one,plain_two,plain_len
outer	struct
a	db	?
inner	struct
b	db	?
c	dw	?
inner	endstruct
d	db	?
outer	endstruct
	db	outer_a,outer_inner,outer_inner_b,outer_inner_c,outer_d,outer_len
	org	100h
p1	point
p2	point	[2]
o	outer
	dw	p1,p1_x,p1_y,p2_0,p2_1_y,o,o_inner_c,o_d
	db	0

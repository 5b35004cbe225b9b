; labels, scopes and what is in them
	org 4000H
plain:	nop
nocolon nop
 indented: nop
.dot:	nop
a@b?c'd:	nop
one: two: three: nop
above:
	nop
	dw plain, nocolon, indented, .dot, a@b?c'd, one, two, three, above
pp:	PROC
	jr inner
	jp outer
	call pp.inner
inner:	djnz inner
q:	PROC
	jr inner
inner:	jr q.inner
	jp pp.q.inner
outer:	jp outer
	ENDP
	dw q.inner, q.outer, pp.q.outer
	ENDP
outer:	jp pp
	dw pp.inner, pp.q.inner
named:
	PROC
x:	jp x
	ENDP
	jp named.x
	PROC
x:	jp x
	ENDP
s1:	PROC
y:	nop
	ENDP
alias: equ s1
	dw alias.y, alias
	jp nc,s1
	ld hl,s1.y

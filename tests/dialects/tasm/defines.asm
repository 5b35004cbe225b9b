#define X 5
#define M(a,b) .db a\ .db b+1
#define EMIT .byte
	.db X
	M(1,2)
	M(X,X)
	ld a,X
	EMIT 9
lab:	EMIT X
	.dw lab
	.end

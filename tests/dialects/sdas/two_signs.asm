; One character behind a tick, two behind a quote, wherever another quote stands.
	.area _CODE
	ld	hl,#"; +1	; is it "0123" ?
	ld	de,#"ab + 1
	ld	bc,#"\n\t
	ld	hl,#"\na
	ld	hl,#"a"+1
	ld	a,#'\
	ld	a,#'\;
	.db	'\+1, '\,2, '\101, '\0+1
	.dw	"\101\60

	nop
	frobnicate r16

	org later
later:	nop

	.equ x 5

	.include "nothing.inc"

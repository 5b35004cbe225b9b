	.include "nothere.inc"

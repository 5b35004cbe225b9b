.include "nothing.inc"

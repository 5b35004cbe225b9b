 include "nothing.asm"

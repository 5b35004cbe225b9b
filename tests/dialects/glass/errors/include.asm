 INCLUDE "nowhere.asm"

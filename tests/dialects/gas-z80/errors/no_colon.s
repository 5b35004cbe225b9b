label nop

; Chess for the Gigatron, in its native instructions.
        machine gigatron-32k
        include "map.asm"
        include "macros.asm"
        include "tables.asm"
        include "position.asm"
        include "leap.asm"
        include "rays.asm"
        include "make.asm"
        include "rare.asm"
        include "generate.asm"
        include "evaluate.asm"
        include "search.asm"
        include "perft.asm"
        ; These stay last: the boot asks for what is above it.
        include "sprites.asm"
        include "shell.asm"
        include "game.asm"

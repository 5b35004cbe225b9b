; Chess for the Gigatron, in its native instructions. Without TIMED, which program.asm
; defines, it is the engine alone, for hosts that call its routines; with HOST there is
; also perft, and some of the rules can be switched off; with CHECK moves compare their
; maps.
        machine gigatron-32k
        include "map.asm"
        include "macros.asm"
        include "tables.asm"
        include "position.asm"
        include "leap.asm"
        include "rays.asm"
        include "make.asm"
        ifdef CHECK
        include "check.asm"
        endif
        include "generate.asm"
        include "evaluate.asm"
        include "search.asm"
        ifdef HOST
        include "perft.asm"
        endif
        ifdef TIMED             ; the boot asks for what is above it
        include "sprites.asm"
        include "shell.asm"
        include "rules.asm"
        include "display.asm"
        include "game.asm"
        endif

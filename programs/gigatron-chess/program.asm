; Chess for the Gigatron: the engine in blocks of time, and the shell that shows it.
TIMED   equ 1
        ifdef CHECK
        error "CHECK is for chess.asm, the engine alone: beside the picture page 0 has no room"
        else
        include "chess.asm"
        endif

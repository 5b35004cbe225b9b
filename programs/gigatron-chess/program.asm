; Chess for the Gigatron: the engine in blocks of time, and the shell that shows it.
TIMED   equ 1
        include "chess.asm"

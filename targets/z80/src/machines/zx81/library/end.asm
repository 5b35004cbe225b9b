; The end of a ZX81 program
; =========================
;
;         include <zx81/end.asm>
;
; The last include of a program that begins with <zx81/sysvar.asm> or <zx81/rem.asm>.
; Section variables, 1 byte.

         section variables
zx81_variables:
         db $80                 ; no more variables
zx81_end:

; The line that starts a program in a REM line
; ============================================
;
;         include <zx81/run.asm>
;
; See <zx81/rem.asm>. Ends line 1 and has 2 RAND USR start, with the address as five
; digits and the five hidden bytes of its number. Section line2, 19 bytes; then code.

         section line2
         db $76                 ; end of line 1
zx81_line2:
         db 0, 2                ; number, high byte first
         dw zx81_line2_end - $ - 2
         db $F9, $D4            ; RAND USR
         db $1C + start / 10000, $1C + start / 1000 % 10
         db $1C + start / 100 % 10, $1C + start / 10 % 10, $1C + start % 10
         db $7E                 ; a number from 16384 to 32767 follows
         db $8F, start >> 7 & $7F, start << 1 & $FF, 0, 0
         db $76
zx81_line2_end:
         section code

; A collapsed display file: 24 lines without a character
; =======================================================
;
;         include <zx81/collapsed.asm>
;
; Section screen, 25 bytes; then code. The ROM's PRINT makes room in it for what it
; prints; a program that writes to the screen by itself needs lines as long as their
; text. A line of full length is 33 bytes.

         section screen
dfile:   ds 25, $76
         section code

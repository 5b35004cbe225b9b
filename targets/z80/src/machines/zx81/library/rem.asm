; A program in a REM line
; =======================
;
;         include <zx81/rem.asm>
; start:  ...                           ; code, from $4082 (16514) on
;         include <zx81/run.asm>        ; the line that starts it
;         include <zx81/collapsed.asm>  ; or a display file of the program's own with
;                                       ; the label dfile
;         include <zx81/end.asm>
;
; Together the whole of a .P, up to 949 bytes on a 1K machine: 1 REM code, then 2 RAND
; USR start. It can be listed, and the program can return to BASIC. It begins at the
; label start and may have sections of its own between these includes.
; `ZX81_FAST equ 1` before the first starts it in FAST mode.
;
; This file: section sysvars, 116 bytes, section line1, 5 bytes; then section code.

         section sysvars
         scope zx81
         org $4009
         db 0                   ; VERSN
         dw 0                   ; E_PPC
         dw dfile               ; D_FILE
         dw dfile + 1           ; DF_CC
         dw zx81_variables      ; VARS
         dw 0                   ; DEST
         dw zx81_end            ; E_LINE
         dw zx81_end + 4        ; CH_ADD
         dw 0                   ; X_PTR
         dw zx81_end + 5        ; STKBOT
         dw zx81_end + 5        ; STKEND
         db 0                   ; BREG
         dw $405D               ; MEM
         db 0
         db 2                   ; DF_SZ
         dw 0                   ; S_TOP
         db $FF, $FF, $FF       ; LAST_K, debounce
         db 55                  ; MARGIN
         dw zx81_line2          ; NXTLIN
         dw 0                   ; OLDPPC
         db 0                   ; FLAGX
         dw 0                   ; STRLEN
         dw $0C8D               ; T_ADDR
         dw 0                   ; SEED
         dw $FFFF               ; FRAMES
         dw 0                   ; COORDS
         db $BC                 ; PR_CC
         db $21, $18            ; S_POSN
ifdef ZX81_FAST
         db 0                   ; CDFLAG
else
         db $40                 ; CDFLAG: SLOW
endif
         ds 32, 0               ; PRBUFF
         db $76
         ds 30, 0               ; MEMBOT
         dw 0
         assert $ == $407D, "the system variables end at $407D"

         section line1
         org $407D
         db 0, 1                ; number, high byte first
         dw zx81_line2 - text   ; length
text:    db $EA                 ; REM

         ends
         section code

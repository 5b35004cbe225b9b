; A program with its BASIC line inside the system variables
; =========================================================
;
;         include <zx81/sysvar.asm>
; start:  ...                           ; code, from $403C on
;         include <zx81/collapsed.asm>  ; or a display file of the program's own with
;                                       ; the label dfile
;         include <zx81/end.asm>
;
; Together the whole of a .P, up to 951 bytes on a 1K machine, 900 of them from $403C
; on. The program begins at the label start and may have sections of its own between
; these includes. `ZX81_FAST equ 1` before the first starts it in FAST mode.
;
; This file: section sysvars, 51 bytes; then section code.
;
; $4009 is at once a BASIC line and the code it starts. As a line: a number, a length
; (neither matters) and GOTO USR 0, whose hidden five bytes say $4009 and end in
; E_LINE. As code: it mends D_FILE, which the line covers, and jumps to start. The
; bytes between are system variables that the ROM reads or writes meanwhile.

         section sysvars
         scope zx81
         org $4009
line:    db $26, high(dfile)    ; ld h,..     number of the line
         jr low_byte            ;             length of the line
         db $EC, $D4, $1C, $7E  ; GOTO USR 0, a number follows
         db $8F, $00, $12       ; $4009 and a fraction:
         dw zx81_end            ; E_LINE
         dw zx81_end - 1        ; CH_ADD
         dw 0                   ; X_PTR, free
         dw 0, 0                ; STKBOT, STKEND
         db 0                   ; BREG
         dw 0                   ; MEM, free
low_byte: db $2E, low(dfile)    ; ld l,..
         jr store
         db $FF, $FF, $FF       ; LAST_K, debounce
         db 55                  ; MARGIN
         dw line                ; NXTLIN
store:   ld ($400C),hl          ; D_FILE
         jr begin
         dw 0, 0                ; T_ADDR; SEED, free
         dw $FFFF               ; FRAMES
begin:   xor a
         ex af,af'              ; line counter 0: the next picture comes late
         jp start
ifdef ZX81_FAST
         db 0                   ; CDFLAG
else
         db $40                 ; CDFLAG: SLOW
endif
         assert $ == $403C, "the system variables end at $403C"
         ends

         section code

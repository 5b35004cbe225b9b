; The ZX81's system variables and the entry points of its ROM
; ============================================================
;
;         include <zx81/rom.asm>
;
; Constants only: nothing here makes a byte. Names as in chapter 28 of the machine's
; manual; (n) is the size where it is not a word, "kept" means that a program must
; leave it alone while the picture is on or before it goes back to BASIC.

ERR_NR   equ $4000      ; (1) report code less one; $FF is none. IY points here
FLAGS    equ $4001      ; (1)
ERR_SP   equ $4002      ; SP after a report
RAMTOP   equ $4004      ; first byte above BASIC's memory
MODE     equ $4006      ; (1) cursor K L F G
PPC      equ $4007      ; number of the line that runs
VERSN    equ $4009      ; (1) first byte of a saved program
E_PPC    equ $400A      ; line with the > cursor
D_FILE   equ $400C      ; display file; kept
DF_CC    equ $400E      ; print position in it
VARS     equ $4010      ; variables
DEST     equ $4012
E_LINE   equ $4014      ; line that is typed; end of a saved program
CH_ADD   equ $4016
X_PTR    equ $4018
STKBOT   equ $401A
STKEND   equ $401C      ; end of the calculator stack, begin of free memory
BREG     equ $401E      ; (1)
MEM      equ $401F
DF_SZ    equ $4022      ; (1) lines of the lower screen
S_TOP    equ $4023
LAST_K   equ $4025      ; key that is down, as KEYBOARD returns it, once a frame
DEBOUNCE equ $4027      ; (1)
MARGIN   equ $4028      ; (1) blank lines above and below; kept
NXTLIN   equ $4029      ; line to run next
OLDPPC   equ $402B
FLAGX    equ $402D      ; (1)
STRLEN   equ $402E
T_ADDR   equ $4030
SEED     equ $4032
FRAMES   equ $4034      ; one less each frame; bit 15 is set
COORDS   equ $4036      ; last PLOT
PR_CC    equ $4038      ; (1)
S_POSN   equ $4039      ; 33 less the column, 24 less the line
CDFLAG   equ $403B      ; (1) bit 6 SLOW is wanted, bit 7 it is on; kept
PRBUFF   equ $403C      ; (33) printer's buffer, free without a printer
MEMBOT   equ $405D      ; (30) calculator's memory, free without expressions

; Entry points. In SLOW mode AF', IX, IY and I belong to the display.

PRINT    equ $0010      ; RST: prints A at DF_CC; keeps BC, DE, HL
SLOWFAST equ $0207      ; makes the mode that CDFLAG wants
KEYBOARD equ $02BB      ; scans; HL = $FFFF none, else L the row, H the column
NEXTPROG equ $0347      ; in LOAD: looks for the program on tape
INITIAL  equ $03E5      ; cold start of BASIC
DECODE   equ $07BD      ; BC as from KEYBOARD; HL = address of the character,
                        ; carry clear when it is not one key
PRINT_AT equ $08F5      ; next PRINT at row B, column C
CLS      equ $0A2A
OUT_NUM  equ $0A98      ; prints BC as a number of up to four digits
PLOT     equ $0BB2      ; pixel, or none by T_ADDR, at C across, B up
SCROLL   equ $0C0E
TESTROOM equ $0EC5      ; report 4 when BC bytes and 36 more are not free
FAST     equ $0F23
SLOW     equ $0F2B
PAUSE    equ $0F32
BREAK    equ $0F46      ; carry clear when SPACE is down
DEBOUNCE_KEY equ $0F4B  ; marks the key in LAST_K as read
CHARSET  equ $1E00      ; 64 shapes of 8 bytes

NEWLINE  equ $76
INVERSE  equ $80        ; bit of a character

; A small ZX81 firmware
; =====================
;
; 8 KiB at $0000-$1FFF, in the place of the machine's own ROM. It starts the machine,
; makes the television picture in SLOW and FAST, scans the keyboard, loads a program
; from tape and runs its first line, and keeps the entry points that machine code
; programs call at the addresses they know. There is no BASIC beyond the lines that
; start machine code: REM, RAND, LET, PRINT, GOTO, CLS, SLOW, FAST and STOP.
;
; Written from the documented behaviour of the entry points and of the hardware.
;
; Memory map
;   $0000-$007D  restarts, INT and NMI
;   $007E-$0206  key table, start-up
;   $0207-$0346  picture, keyboard, SLOW/FAST, tape
;   $0347-$1DFF  the other entry points, each at its known address
;   $1E00-$1FFF  64 character shapes
;   $4000-$407C  system variables, see below
;   $407D-       program, display file, variables, work space, calculator stack
;   RAMTOP-2     end of the machine stack: $3E00, below it the address of next_line
;
; Register plan
;   I   $1E: high byte of the character shapes
;   R   counts opcode fetches; its bit 6 falling raises INT at the end of a TV line
;   IX  where the picture goes on when the margin lines have been counted
;   IY  $4000 always
;   A'  counts margin lines, 1-MARGIN up to 0, while the NMI generator is on
;   A program in SLOW may not use IX, IY, I, R and AF'.
;
; Unused bytes hold $CF, the opcode of RST $08: a call to an entry that is not here
; ends with the report "?/" and the decimal address.

trap      equ $CF               ; RST $08

; System variables, with the names of the ZX81 manual
RAM       equ $4000
ERR_NR    equ $4000             ; report code less one, $FF is none
FLAGS     equ $4001
ERR_SP    equ $4002             ; SP after an error
RAMTOP    equ $4004             ; first byte above the RAM
PPC       equ $4007             ; number of the line that runs
VERSN     equ $4009             ; first byte of a .P file
D_FILE    equ $400C             ; display file, first of nine pointers
DF_CC     equ $400E             ; print position in it
VARS      equ $4010
E_LINE    equ $4014             ; one past the end of a .P file
CH_ADD    equ $4016
STKBOT    equ $401A
STKEND    equ $401C             ; end of the calculator stack, last of the nine
MEM       equ $401F             ; the calculator's memory, at MEMBOT
DF_SZ     equ $4022             ; lines that PRINT leaves free at the bottom
LAST_K    equ $4025             ; keyboard, as KEYBOARD returns it, each frame
DEB_K     equ $4027             ; five bits that empty while no key is down
MARGIN    equ $4028             ; blank lines above and below: 55, or 31 at 60 Hz
NXTLIN    equ $4029             ; address of the line to run next
T_ADDR    equ $4030
SEED      equ $4032
FRAMES    equ $4034             ; counts frames down; bit 15 clear during PAUSE
COORDS    equ $4036             ; last x and y of PLOT
PR_CC     equ $4038
S_POSN    equ $4039             ; 33 less the column, 24 less the line
CDFLAG    equ $403B             ; bit 7 SLOW runs, bit 6 SLOW wanted, bit 0 new key
MEMBOT    equ $405D
PROGRAM   equ $407D

newline   equ $76               ; ends a line of the display file: it is HALT

; entry: the next byte has a known address; the bytes before it are unused
macro entry(address)
        ds address-$,trap
endm

        include "start.asm"
        include "picture.asm"
        include "program.asm"
        include "screen.asm"
        include "services.asm"
        include "glyphs.asm"

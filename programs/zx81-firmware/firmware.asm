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

trap:     equ $CF               ; RST $08

; System variables, with the names of the ZX81 manual
RAM:      equ $4000
ERR_NR:   equ $4000             ; report code less one, $FF is none
FLAGS:    equ $4001
ERR_SP:   equ $4002             ; SP after an error
RAMTOP:   equ $4004             ; first byte above the RAM
PPC:      equ $4007             ; number of the line that runs
VERSN:    equ $4009             ; first byte of a .P file
D_FILE:   equ $400C             ; display file, first of nine pointers
DF_CC:    equ $400E             ; print position in it
VARS:     equ $4010
E_LINE:   equ $4014             ; one past the end of a .P file
CH_ADD:   equ $4016
STKBOT:   equ $401A
STKEND:   equ $401C             ; end of the calculator stack, last of the nine
DF_SZ:    equ $4022             ; lines that PRINT leaves free at the bottom
LAST_K:   equ $4025             ; keyboard, as KEYBOARD returns it, each frame
DEB_K:    equ $4027             ; five bits that empty while no key is down
MARGIN:   equ $4028             ; blank lines above and below: 55, or 31 at 60 Hz
NXTLIN:   equ $4029             ; address of the line to run next
T_ADDR:   equ $4030
SEED:     equ $4032
FRAMES:   equ $4034             ; counts frames down; bit 15 clear during PAUSE
COORDS:   equ $4036             ; last x and y of PLOT
PR_CC:    equ $4038
S_POSN:   equ $4039             ; 33 less the column, 24 less the line
CDFLAG:   equ $403B             ; bit 7 SLOW runs, bit 6 SLOW wanted, bit 0 new key
MEMBOT:   equ $405D
PROGRAM:  equ $407D

newline:  equ $76               ; ends a line of the display file: it is HALT

; ---------------------------------------------------------------- restarts
        org $0000

; START: power-up. The NMI generator may be on after a reset.
start:  out ($FD),a
        jp cold
        ds $0008-$,trap

; ERROR: RST $08 and a byte. Stops the program with the report of that byte plus one.
; in: byte after the call. Does not return.
error:  pop hl
        ld a,(hl)
        jp stop_with
        ds $0010-$,trap

; PRINT: in: A, a character code or newline. Keeps A, BC, DE, HL.
print:  jp print_a
        ds $0018-$,trap

; GET-CHAR: out: A, the character at CH_ADD, the first that is not a space
get_char:
        ld hl,(CH_ADD)
        jp at_char
        ds $0020-$,trap

; NEXT-CHAR: the same for the next character; CH_ADD and HL point at it
next_char:
        ld hl,(CH_ADD)
        jp after_char
        ds $0038-$,trap

; INT: the end of one TV line of the picture; see display for the registers.
; The way through takes 41 T states either way up to scan_line, 58 to the display
; file, so that a line with its interrupt (13) and 34 fetches takes 207.
interrupt:
        pop de                  ; 10  where the HALT of this row ends
        dec c                   ;  4  scan lines left in the row
        jr nz,same_row          ;  7 or 12
        dec b                   ;  4
        ret z                   ;  5  that was the last row
        ex de,hl                ;  4  the next row starts there
        ld c,8                  ;  7
scan_line:
        ld r,a                  ;  9
        ei                      ;  4
        jp (hl)                 ;  4
same_row:
        ret z                   ;  5  never: Z is clear here, only the time counts
        jp scan_line            ; 10
        ds $0066-$,trap

; NMI: one margin line. 32 T states unless it is the last but one, which leads to
; margin_end. The NMI that ends the HALT there counts to 1 and returns.
nmi:    ex af,af'               ;  4
        inc a                   ;  4
        jp z,margin_end         ; 10
        ex af,af'               ;  4
        ret                     ; 10

; margin_end: saves the program's registers, waits for the next line so that the
; time is known exactly, and goes on with the picture.
; out: HL=display file in the upper half of memory, stack HL DE BC AF PC
margin_end:
        ex af,af'
        push af
        push bc
        push de
        push hl
        ld hl,(D_FILE)
        set 7,h
        halt                    ; NMI
        and 0                   ;  7  Z for the RET at upper
        out ($FD),a             ; 11
        jp (ix)

; ---------------------------------------------------------------- start-up

; cold: finds the size of the RAM, 1K to 16K, clears it and goes to INITIAL. Each
; byte gets the number of its page, from the top down; where the RAM is smaller than
; its address space and repeats, the lowest address is the last to be written.
cold:   ld hl,$7FFF
cold_fill:
        ld (hl),h
        dec hl
        bit 6,h
        jr nz,cold_fill
cold_test:
        inc hl
        ld a,(hl)
        cp h
        ld (hl),0
        jr z,cold_test
        ld (RAMTOP),hl
        jp initial

; Values of D_FILE to E_LINE and STKBOT to FRAMES+1 in a machine without a program
first_pointers:
        dw PROGRAM,PROGRAM+1,PROGRAM+25,0,PROGRAM+26,PROGRAM+26,0,PROGRAM+26,PROGRAM+26
        db 0                    ; BREG
        dw MEMBOT               ; MEM
        db 0,2                  ; DF_SZ
        dw 0                    ; S_TOP
        dw $FFFF                ; LAST_K
        db $FF,31               ; DEB_K, MARGIN
first_pointers_end:

; initial_1: the rest of INITIAL
; in: HL=RAMTOP
initial_1:
        dec hl
        ld (hl),$3E             ; end of the GOSUB stack
        dec hl
        ld sp,hl
        ld hl,next_line
        push hl
        ld (ERR_SP),sp
        ld a,$1E
        ld i,a
        im 1
        ld iy,RAM
        ld (iy+ERR_NR-RAM),$FF
        ld hl,first_pointers
        ld de,D_FILE
        ld bc,first_pointers_end-first_pointers
        ldir
        ld hl,$FFFF
        ld (FRAMES),hl
        ld (iy+CDFLAG-RAM),$40
        ld hl,$1821
        ld (S_POSN),hl
        ld a,$80
        ld (PROGRAM+25),a
        ld hl,PROGRAM
        ld b,25
initial_lines:
        ld (hl),newline
        inc hl
        djnz initial_lines
        jp next_prog

; ---------------------------------------------------------------- running the program

; stop_with: in: A=report code less one, HL=address of that code
stop_with:
        ld (ERR_NR),a
        cp trap
        jr nz,stop_here
        dec hl                  ; the address that was called
        ld (PPC),hl
stop_here:
        ld sp,(ERR_SP)
        ret                     ; to next_line

; count_frame: FRAMES one less; the lower 15 bits run from 0 to $7FFF again.
; 76 T states. Clobbers A, HL.
count_frame:
        ld hl,(FRAMES)          ; 16
        dec hl                  ;  6
        ld a,h                  ;  4
        res 7,a                 ;  8
        or l                    ;  4
        jr nz,frame_counted     ; 12
        ld h,a                  ; 0 comes once, then $FFFF
frame_counted:
        ld (FRAMES),hl          ; 16
        ret                     ; 10

; ---------------------------------------------------------------- the picture
        ds $0207-$,trap

; SLOW/FAST: goes on in SLOW when CDFLAG asks for it. Clobbers nothing in SLOW,
; HL and F otherwise.
slow_fast:
        ld hl,CDFLAG
        bit 6,(hl)
        ret z
        bit 7,(hl)
        ret nz
        set 7,(hl)
        jr display_1
        ds $0220-$,trap

; DISPLAY-1: the lower end of the picture for a program's own display routine: saves
; the registers on the stack of the picture, makes the frame pulse, and returns to
; the caller within the upper margin.
display_1:
        push af
        push bc
        push de
        push hl
        jr frame
        ds $0229-$,trap

; frame: counts the frame, makes the frame pulse with the keyboard scanned in it, and
; starts the upper margin. In SLOW it is entered with the program's registers on the
; stack. In FAST it is a subroutine that shows the picture until a key is pressed or
; until FRAMES with bit 15 clear has reached 0.
; The pulse takes 1232 T states: IN in KEYBOARD starts it and the OUT ends it.
frame:  call count_frame        ; 93
        call keyboard           ; 17
        ld de,(LAST_K)          ; 20
        ld (LAST_K),hl          ; 16
        or a                    ;  4
        sbc hl,de               ; 15
        ld a,(DEB_K)            ; 13
        or h                    ;  4
        or l                    ;  4  Z: the key of the last frame, and it is new
        sub 1                   ;  7
        sbc a,a                 ;  4
        ld e,a                  ;  4  $FF for that
        ld a,d                  ;  4
        cp $FE                  ;  7
        sbc a,a                 ;  4
        ld d,a                  ;  4  $FF for a key, 0 for none or SHIFT alone
        ld hl,DEB_K             ; 10
        or (hl)                 ;  7
        and $1F                 ;  7
        rra                     ;  4
        ld (hl),a               ;  7
        ld a,d                  ;  4
        and e                   ;  4
        and 1                   ;  7
        ld hl,CDFLAG            ; 10
        res 0,(hl)              ; 15
        or (hl)                 ;  7
        ld (hl),a               ;  7
        rlca                    ;  4
        ld b,23                 ;  7
        jr c,frame_pulse        ; 12  SLOW
        and 2
        ret nz
        ld hl,(FRAMES)
        ld a,h
        or l
        ret z
        ld b,20                 ;  7
frame_pulse:
        djnz frame_pulse        ; 13 each, 8 the last
        jp frame_end            ; 10
        ds $0275-$,trap
frame_end:
        out ($FF),a             ; 11  end of the pulse
        nop                     ;  4
        nop                     ;  4
        ld hl,(D_FILE)          ; 16
        set 7,h                 ;  8
        ds $027E-$,trap
        call margin_lines       ; 17  upper margin; returns through IX
        ds $0281-$,trap

; upper: the 192 lines. IX points here during the upper margin.
; in: HL=display file+$8000
upper:  ret nz                  ;  5  never: Z is set here, only the time counts
        ld bc,$1901             ; 25 rows, the first of one line
        ld a,$F4
        call display
        ex de,hl
        dec hl                  ; the last HALT
        call margin_lines
        ds $028F-$,trap

; lower: the end of the picture. IX points here during the lower margin.
lower:  jp frame
        ds $0292-$,trap

; margin_lines: starts a margin of MARGIN lines, after which the instruction after
; this call is executed. In SLOW the program goes on meanwhile.
; in: the address to come back to, and in SLOW HL DE BC AF PC on the stack; in FAST
; HL=a HALT in the display file+$8000
margin_lines:
        pop ix                  ; 14
        bit 7,(iy+CDFLAG-RAM)   ; 20
        jp z,margin_fast        ; 10
        ld a,(MARGIN)           ; 13
        cpl                     ;  4
        add a,2                 ;  7
        ex af,af'               ;  4
        out ($FE),a             ; 11  NMI generator on
        ds $02A4-$,trap

; the program's registers back
program_on:
        pop hl
        pop de
        pop bc
        pop af
        ret
        ds $02A9-$,trap

; margin_fast: blank lines: one row of C lines that has no characters
margin_fast:
        ld c,(iy+MARGIN-RAM)
        ld b,1
        ld a,$F2
        call display
        jp (ix)
        ds $02B5-$,trap

; DISPLAY-5: runs the display file as a program, so that the hardware shows it.
; in: HL=address in the upper half, B=rows, C=lines in the first row, A=value of R
; for the first line. The row ends with HALT; INT comes when bit 6 of R falls.
; out: DE=after the last HALT, HL=start of the last row, B=0. Clobbers A, C, R.
display:
        ld r,a
        ld a,$DD                ; 34 fetches to a line
        ei
        jp (hl)
        ds $02BB-$,trap

; KEYBOARD: out: L=rows with a key down as 0 bits, H=columns as 0 bits 1 to 5, bit 0
; of H is 0 for SHIFT; $FFFF without a key. MARGIN is set by the 50/60 Hz bit.
; Clobbers A, BC, DE. Starts the frame pulse when the NMI generator is off.
keyboard:
        ld hl,$FFFF
        ld bc,$FEFE
        in a,(c)                ; 12
        or 1                    ;  7  SHIFT is no key
keyboard_row:
        or $E0                  ;  7
        ld d,a                  ;  4
        add a,1                 ;  7
        sbc a,a                 ;  4  0 for a key, $FF for none
        or b                    ;  4
        and l                   ;  4
        ld l,a                  ;  4
        ld a,h                  ;  4
        and d                   ;  4
        ld h,a                  ;  4
        rlc b                   ;  8
        in a,(c)                ; 12
        jr c,keyboard_row       ; 12
        rra                     ; row of SHIFT again
        rl h
        rla
        rla
        rla                     ; bit 6: 1 is 50 Hz
        sbc a,a
        and 55-31
        add a,31
        ld (MARGIN),a
        ret
        ds $02E7-$,trap

; SET-FAST: ends SLOW until slow_fast. Keeps all but F.
set_fast:
        bit 7,(iy+CDFLAG-RAM)
        ret z
        halt                    ; a line's start: the margin is not in its last lines
        out ($FD),a
        res 7,(iy+CDFLAG-RAM)
        ret

; ---------------------------------------------------------------- tape
        ds $0340-$,trap
load:   nop
        ds $0347-$,trap

; NEXT-PROG: loads the next program from the tape, and runs it.
; The stack holds the address of next_line.
next_prog:
        jp tape_load
        ds $03E5-$,trap

; INITIAL: everything as after power-up, with the RAM up to RAMTOP
initial:
        ld hl,(RAMTOP)
        jp initial_1

; tape_load: any name, then the bytes from VERSN to E_LINE-1
tape_load:
        call tape_byte
        rl c
        jr nc,tape_load         ; bit 7 marks the end of the name
        ld hl,E_LINE+1
        inc (hl)                ; the end cannot be met before it is loaded
        ld hl,VERSN
tape_next:
        call tape_byte
        ld (hl),c
        inc hl
        ex de,hl
        ld hl,(E_LINE)
        or a
        sbc hl,de
        ex de,hl
        jr nz,tape_next
        jp slow_fast

; tape_byte: out: C. Keeps HL. Clobbers A, B, DE.
; A bit is 4 (zero) or 9 (one) pulses and then silence. The edges are counted, so
; the polarity does not matter; a click of fewer than four edges is no bit.
tape_byte:
        ld c,1
tape_bit:
        ld e,0                  ; edges
tape_quiet:
        ld b,34                 ; 2000 T states, four times a pulse
tape_sample:
        ld a,$7F                ;  7
        in a,($FE)              ; 11
        rra                     ;  4
        jr nc,tape_break        ;  7  SPACE
        xor d                   ;  4
        and $40                 ;  7
        jr nz,tape_edge         ;  7
        djnz tape_sample        ; 13
        ld a,e
        cp 4
        jr c,tape_bit
        cp 13
        ccf
        rl c
        jr nc,tape_bit
        ret
tape_edge:
        xor d
        ld d,a
        inc e
        jr tape_quiet
tape_break:
        rst $08
        db $0C                  ; D: BREAK
        ds $0676-$,trap

; ---------------------------------------------------------------- NEXT-LINE

; next_line: runs the line at NXTLIN, or stops with a report. An error comes here
; too, with its code in ERR_NR.
next_line:
        ld hl,(ERR_SP)
        inc hl
        inc hl
        ld sp,hl
        ld hl,next_line
        push hl
        ld a,(ERR_NR)
        inc a
        jp nz,report
        ld hl,(NXTLIN)
        ld a,(hl)
        and $C0
        jp nz,report            ; not a line number: the end of the program
        ld d,(hl)
        inc hl
        ld e,(hl)
        inc hl
        ld (PPC),de
        ld c,(hl)
        inc hl
        ld b,(hl)
        inc hl
        push hl
        add hl,bc
        ld (NXTLIN),hl
        call break_1
        jr c,next_statement
        rst $08
        db $0C                  ; D: BREAK
next_statement:
        pop hl
        ld a,(hl)
        inc hl
        cp $EA                  ; REM
        ret z
        cp newline
        ret z
        ld de,do_rand
        cp $F9
        jr z,with_number
        ld de,do_goto
        cp $EC
        jr z,with_number
        rst $08
        db $0B                  ; C: no BASIC here

do_rand:
        ld (SEED),bc
        ret
do_goto:
        ret

; with_number: in: HL=expression, DE=where to go with its value in BC
with_number:
        push de
; value: out: BC
value:  ld a,(hl)
        inc hl
        cp $D4                  ; USR
        jr z,value_usr
        cp $7E
        jr z,value_float
        cp $76
        jr nz,value
        rst $08
        db $0B
value_usr:
        call value
        ; the machine stack as the program knows it
        ld hl,-12
        add hl,sp
        ld sp,hl
        ld hl,usr_back
        push hl
        push bc
        ret
usr_back:
        ld hl,12
        add hl,sp
        ld sp,hl
        ret

; value_float: in: HL=five bytes, positive. out: BC
value_float:
        ld a,(hl)
        or a
        ld bc,0
        ret z
        inc hl
        ld b,(hl)
        set 7,b
        inc hl
        ld c,(hl)
        sub 144
        ret z
value_shift:
        srl b
        rr c
        inc a
        jr nz,value_shift
        ret nc
        inc bc
        ret

report: jr report
print_a:
at_char:
after_char:
        ret
        ds $0F23-$,trap
fast:   call set_fast
        res 6,(iy+CDFLAG-RAM)
        ret
slow:   set 6,(iy+CDFLAG-RAM)
        jp slow_fast
        ds $0F46-$,trap
break_1:
        ld a,$7F
        in a,($FE)
        rra
debounce:
        res 0,(iy+CDFLAG-RAM)
        ld a,$FF
        ld (DEB_K),a
        ret
        ds $1E00-$,trap
        include "glyphs.asm"

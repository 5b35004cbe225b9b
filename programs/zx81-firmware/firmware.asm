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
MEM:      equ $401F             ; the calculator's memory, at MEMBOT
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

        ds $007E-$,trap

; The key table: unshifted, then shifted, each row by row from SHIFT-V to SPACE-B and
; inward from the edge of the keyboard; SHIFT itself has no entry. Character codes
; and, shifted, the codes of the words and editing keys on the keys.
key_table:
        db $3F,$3D,$28,$3B              ; Z X C V
        db $26,$38,$29,$2B,$2C          ; A S D F G
        db $36,$3C,$2A,$37,$39          ; Q W E R T
        db $1D,$1E,$1F,$20,$21          ; 1 2 3 4 5
        db $1C,$25,$24,$23,$22          ; 0 9 8 7 6
        db $35,$34,$2E,$3A,$3E          ; P O I U Y
        db $76,$31,$30,$2F,$2D          ; NEWLINE L K J H
        db $00,$1B,$32,$33,$27          ; SPACE . M N B
        db $0E,$19,$0F,$18              ; : ; ? /
        db $E3,$E1,$E4,$E5,$E2          ; STOP LPRINT SLOW FAST LLIST
        db $C0,$D9,$E0,$DB,$DD          ; "" OR STEP <= <>
        db $75,$DA,$DE,$DF,$72          ; EDIT AND THEN TO left
        db $77,$74,$73,$70,$71          ; RUBOUT GRAPHICS right up down
        db $0B,$11,$10,$0D,$DC          ; " ) ( $ >=
        db $79,$14,$15,$16,$D8          ; FUNCTION = + - **
        db $0C,$1A,$12,$13,$17          ; pound , > < *

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
        jr nz,cold_end
        ld (hl),0
        jr cold_test
cold_end:
        ld (RAMTOP),hl
        jp initial

; The system variables from D_FILE to MARGIN in a machine without a program. The
; display file is empty lines and VARS is empty.
first_values:
        dw PROGRAM              ; D_FILE
        dw PROGRAM+1            ; DF_CC
        dw PROGRAM+25           ; VARS
        dw 0                    ; DEST
        dw PROGRAM+26           ; E_LINE
        dw PROGRAM+26           ; CH_ADD
        dw 0                    ; X_PTR
        dw PROGRAM+26           ; STKBOT
        dw PROGRAM+26           ; STKEND
        db 0                    ; BREG
        dw MEMBOT               ; MEM
        db 0                    ; not used
        db 2                    ; DF_SZ
        dw 0                    ; S_TOP
        dw $FFFF                ; LAST_K
        db $FF                  ; DEB_K
        db 31                   ; MARGIN
first_values_end:

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
; B=0, HL=a HALT in the display file+$8000
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
        inc b                   ;  4  B is 0 after the pulse and after the picture
        nop                     ;  4
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

; LOAD: the next program, whatever its name
load:   jr next_prog
        ds $0347-$,trap

; NEXT-PROG: loads the next program from the tape and runs it. Any name will do; then
; come the bytes from VERSN to E_LINE-1.
; in: the address of next_line on the stack. Leaves through slow_fast.
next_prog:
        call tape_byte
        rl c
        jr nc,next_prog         ; bit 7 marks the end of the name
        ld hl,E_LINE+1
        inc (hl)                ; the end cannot be met before it is loaded
        ld hl,VERSN
tape_next:
        call tape_byte
        ld (hl),c
        inc hl
        ld de,(E_LINE)
        ld a,l
        sub e
        ld a,h
        sbc a,d
        jr c,tape_next
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
        ds $03C3-$,trap

; ---------------------------------------------------------------- start again

; NEW: everything as after power-up
new:    call set_fast
        jp cold
        ds $03E5-$,trap

; INITIAL: the system variables and the machine stack for a machine with RAM up to
; RAMTOP-1 and no program; then waits for the tape.
initial:
        ld hl,(RAMTOP)
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
        ld hl,first_values
        ld de,D_FILE
        ld bc,first_values_end-first_values
        ldir
        ld hl,PROGRAM
        ld b,25
initial_lines:
        ld (hl),newline
        inc hl
        djnz initial_lines
        ld (hl),$80             ; end of the variables
        dec b
        ld (iy+ERR_NR-RAM),b    ; $FF
        ld (iy+FRAMES-RAM),b
        ld (iy+FRAMES+1-RAM),b
        ld (iy+CDFLAG-RAM),$40
        call cls
        jp next_prog

; ---------------------------------------------------------------- numbers

; value: the value of an operand: a number, a variable, VAL of a number in quotes, or
; USR of one of these. Other tokens before it are skipped.
; in: HL=expression, T_ADDR=token of the statement. out: BC. Error 2, B, C, 4.
value:  ld a,(hl)
        inc hl
        cp newline
        jr z,value_nonsense
        cp $0B                  ; a quote
        jr z,value_nonsense
        cp $D4                  ; USR
        jp z,value_usr
        cp $C5                  ; VAL
        jr z,value_val
        cp $1B                  ; . and digits: the value follows $7E
        jr c,value
        cp $26
        jr c,value_literal
        cp $40
        jr nc,value

; a variable: its five bytes are in the variables
        call look_var
        jr nc,value_float
        rst $08
        db $01                  ; 2: no such variable
value_nonsense:
        rst $08
        db $0B                  ; C: not an operand

value_literal:
        ld a,(hl)
        inc hl
        cp $7E
        jr nz,value_literal
value_float:
        ld bc,5
        call value_room

; float_to_bc: in: HL=five bytes. out: BC, rounded. Clobbers A, HL. Error B.
float_to_bc:
        ld a,(hl)
        or a
        ld bc,0
        ret z
        inc hl
        bit 7,(hl)
        jr nz,out_of_range      ; negative
        ld b,(hl)
        set 7,b
        inc hl
        ld c,(hl)
        sub 144
        ret z
        jr nc,out_of_range
float_shift:
        srl b
        rr c
        inc a
        jr nz,float_shift
        ret nc
        inc bc
        ret
out_of_range:
        rst $08
        db $0A                  ; B: integer out of range

; VAL "digits". The real VAL needs more room for a copy of the string.
value_val:
        inc hl                  ; the quote
        ld bc,55
        call value_room
        ex de,hl
        ld hl,0
val_digit:
        ld a,(de)
        inc de
        sub $1C
        ld b,h
        ld c,l
        cp 10
        ret nc
        add hl,hl
        add hl,hl
        add hl,bc
        add hl,hl
        ld c,a
        ld b,0
        add hl,bc
        jr val_digit

; value_room: error 4 unless BC bytes and the machine stack have room, as deep as it
; is when the machine's own BASIC tests it. Keeps HL.
value_room:
        push hl
        call stack_depth
        add hl,bc
        ld b,h
        ld c,l
        call test_room
        pop hl
        ret

; stack_depth: RAND runs a word deeper than LET and GOTO, PRINT a word less deep.
; out: HL=10 for RAND, 8, or 6 for PRINT. Clobbers A.
stack_depth:
        ld a,(T_ADDR)
        ld hl,10
        cp $F9                  ; RAND
        ret z
        ld l,6
        cp $F5                  ; PRINT
        ret z
        ld l,8
        ret

; USR: runs a program. It gets BC=its address, and HL=the address it returns to, that
; of STACK-BC; the machine stack is as deep as programs find it in a ZX81.
value_usr:
        call value
        call stack_depth
        ex de,hl
        ld hl,0
        and a
        sbc hl,de
        add hl,sp
        ld sp,hl
        push de
        ld hl,usr_end
        push hl
        ld hl,stack_bc
        push hl
        push bc
        ret
usr_end:
        pop hl
        add hl,sp
        ld sp,hl
        jp fp_to_bc

; report: clears the two lowest lines, prints the report code and the line number
; there, and shows the screen for ever.
; in: A=code
report: push af
        ld bc,$0221
        ld (iy+DF_SZ-RAM),0
        call loc_addr
        ld de,(VARS)
report_clear:
        ld a,(hl)
        cp newline
        jr z,report_kept
        ld (hl),0
report_kept:
        inc hl
        ld a,l
        sub e
        ld a,h
        sbc a,d
        jr c,report_clear
        ld bc,$0121
        call loc_addr
        pop af
        cp trap+1
        jr nz,report_code
        ld a,$0F-$1C            ; ?
report_code:
        add a,$1C
        rst $10
        ld a,$18                ; /
        rst $10
        ld bc,(PPC)
        call out_num
        ld (iy+DF_SZ-RAM),2
        call slow_fast
report_show:
        bit 7,(iy+CDFLAG-RAM)
        call z,frame
        jr report_show
        ds $0676-$,trap

; ---------------------------------------------------------------- lines

; next_line: runs the line at NXTLIN, or stops with a report. Errors come here, too.
next_line:
        ld hl,(ERR_SP)
        inc hl
        inc hl
        ld sp,hl
        ld hl,next_line
        push hl
        ld hl,(E_LINE)
        ld (STKBOT),hl
        ld (STKEND),hl
        ld hl,MEMBOT
        ld (MEM),hl
        ld (iy+FLAGS-RAM),$C0
        ld a,(ERR_NR)
        inc a
        jp nz,report
        ld hl,(NXTLIN)
        ld a,(hl)
        and $C0
        ld a,0
        jp nz,report            ; no line number: the end of the program
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
        jp nc,tape_break
        pop hl
        ld a,(hl)
        inc hl
        ld (T_ADDR),a
        sub $E3                 ; STOP, the first statement known
        jr c,line_end
        ld c,a
        ld b,0
        push hl
        ld hl,statements
        add hl,bc
        ld c,(hl)
        ld hl,statements_at
        add hl,bc
        ex (sp),hl
        ret                     ; to the statement, HL=what follows its token
line_end:
        cp newline+$100-$E3
        ret z
nonsense:
        rst $08
        db $0B                  ; C: not one of these
        ds $0724-$,trap

; put_line: the head of a line, downward: (HL)=B, (HL-1)=C, (HL-2)=E, (HL-3)=D
; out: HL less 3
put_line:
        ld (hl),b
        dec hl
        ld (hl),c
        dec hl
        ld (hl),e
        dec hl
        ld (hl),d
        ret

; the statements from STOP ($E3) to $FF, as distances from statements_at
statements:
        db do_stop-statements_at        ; STOP
        db do_slow-statements_at        ; SLOW
        db do_fast-statements_at        ; FAST
        db 0,0,0,0                      ; NEW SCROLL CONT DIM
        db do_rem-statements_at         ; REM
        db 0                            ; FOR
        db do_goto-statements_at        ; GOTO
        db 0,0,0,0                      ; GOSUB INPUT LOAD LIST
        db do_let-statements_at         ; LET
        db 0,0,0                        ; PAUSE NEXT POKE
        db do_print-statements_at       ; PRINT
        db 0,0,0                        ; PLOT RUN SAVE
        db do_rand-statements_at        ; RAND
        db 0                            ; IF
        db do_cls-statements_at         ; CLS
        db 0,0,0,0                      ; UNPLOT CLEAR RETURN COPY

statements_at:
        jr nonsense
do_stop:
        rst $08
        db $08                  ; 9: STOP
do_slow:
        jp slow
do_fast:
        jp fast
do_cls: jp cls
do_rand:
        call value
        ld (SEED),bc
do_rem: ret
do_goto:
        call value
        ld h,b
        ld l,c
        call line_addr
        ld (NXTLIN),hl
        ret
do_print:
        call value
        call out_num
        ld a,newline
        rst $10
        ret
do_let: ld a,(hl)
        ld (T_ADDR+1),a
        inc hl
        call value
        push bc
        ld a,(T_ADDR+1)
        call look_var
        jr nc,let_number
        ld bc,6                 ; a new variable before the $80
        call make_room
        inc hl
        ld a,(T_ADDR+1)
        add a,$40
        ld (hl),a
        inc hl
let_number:
        pop bc
        jp bc_to_float

; stop_with: in: A=report code less one, HL=address of that code. Does not return.
stop_with:
        ld (ERR_NR),a
        cp trap
        jr nz,stop_here
        dec hl                  ; the address that was called
        ld (PPC),hl
stop_here:
        ld sp,(ERR_SP)
        ret                     ; to next_line

; DECODE: in: B, C=H, L of KEYBOARD. out: carry set, HL=address of the character of
; the key in key_table, A=its number there plus one; carry clear without a key or
; with two. Clobbers BC.
        ds $07BD-$,trap
decode: sra b                   ; columns; carry clear is SHIFT
        sbc a,a
        cpl
        and 39                  ; shifted half of the table
        ld l,b
        inc l
        ret z                   ; no column
        ld l,c
        inc l
        ret z                   ; no row
        sub 5
decode_row:
        add a,5
        scf
        rr c
        jr c,decode_row
        inc c
        ret nz                  ; two rows
        dec a
decode_column:
        inc a
        scf
        rr b
        jr c,decode_column
        inc b
        ret nz                  ; two columns
        ld hl,key_table-1
        ld c,a                  ; B is 0
        add hl,bc
        scf
        ret
        ds $07F1-$,trap

; ---------------------------------------------------------------- printing

; PRINT-CH: in: A. Keeps A, BC, DE, HL; clobbers BC', DE', HL'. Error 5 when the
; screen is full.
print_a:
        exx
        push af
        ld bc,(S_POSN)
        dec c
        cp newline
        jr z,print_newline
        ld a,c
        or a
        call z,new_line
        call print_full
        ld hl,(DF_CC)
        ld a,(hl)
        cp newline
        jr nz,print_store       ; a full line is overwritten
        call one_space          ; a short one grows
        inc hl
print_store:
        pop af
        ld (hl),a
        inc hl
        ld (DF_CC),hl
        ld hl,S_POSN
        dec (hl)
        jr print_end
print_newline:
        call print_full
        call new_line
        pop af
print_end:
        exx
        ret

; print_full: error 5 when the line B is not above the DF_SZ last ones. Clobbers A.
print_full:
        ld a,(DF_SZ)
        cp b
        ret c
        rst $08
        db $04                  ; 5: screen full

; new_line: moves the print position to the next line
; out: BC=S_POSN. Clobbers A, HL.
new_line:
        ld hl,(DF_CC)
        ld a,newline
new_line_find:
        cp (hl)
        inc hl
        jr nz,new_line_find
        ld (DF_CC),hl
        ld bc,(S_POSN)
        dec b
        ld c,33
        ld (S_POSN),bc
        ret

        ds $0869-$,trap

; COPY: there is no printer
copy:   ret
        ds $08F5-$,trap

; PRINT-AT: in: B=line, C=column. Clobbers all. Error 5, B.
print_at:
        ld a,24
        sub b
        jp c,out_of_range
        ld b,a
        call print_full
        ld a,31
        sub c
        jp c,out_of_range
        add a,2
        ld c,a
        jr loc_addr
        ds $0918-$,trap

; LOC-ADDR: sets the print position. A short line is filled up with spaces.
; in: B=24 less the line, C=33 less the column. out: HL=DF_CC. Clobbers A, BC, DE.
loc_addr:
        ld (S_POSN),bc
        ld hl,(D_FILE)
        ld a,25
        sub b
        ld b,a
        ld a,newline
loc_line:
        cp (hl)
        inc hl
        jr nz,loc_line
        djnz loc_line
        ld a,33
        sub c
        jr z,loc_found
        ld c,a
loc_column:
        ld a,(hl)
        cp newline
        jr z,loc_pad
        inc hl
        dec c
        jr nz,loc_column
loc_found:
        ld (DF_CC),hl
        ret
loc_pad:
        push bc                 ; B is 0
        call make_room
        pop bc
loc_space:
        inc hl
        ld (hl),0
        dec c
        jr nz,loc_space
        inc hl
        jr loc_found
        ds $099B-$,trap

; ---------------------------------------------------------------- moving memory

; ONE-SPACE: MAKE-ROOM for one byte
one_space:
        ld bc,1

; MAKE-ROOM: opens a gap. in: HL=address, BC=bytes. out: HL=byte before the gap, DE=its
; last byte, BC=0. Clobbers A. Error 4.
make_room:
        jp make_gap
        ds $09AD-$,trap

; POINTERS: adds BC to each of the nine pointers D_FILE to STKEND that is above HL.
; Keeps BC, HL. Clobbers A, DE.
pointers:
        push hl
        ld hl,D_FILE
        ld a,9
pointers_next:
        ld e,(hl)
        inc hl
        ld d,(hl)
        ex (sp),hl
        and a
        sbc hl,de
        add hl,de
        ex (sp),hl
        jr nc,pointers_keep
        ex de,hl
        add hl,bc
        ex de,hl
        ld (hl),d
        dec hl
        ld (hl),e
        inc hl
pointers_keep:
        inc hl
        dec a
        jr nz,pointers_next
        pop hl
        ret
        ds $09D8-$,trap

; LINE-ADDR: out: HL=the first line whose number is not below HL. Clobbers A, BC, DE.
line_addr:
        ld b,h
        ld c,l
        ld hl,PROGRAM
line_look:
        ld d,(hl)
        bit 6,d
        ret nz                  ; the display file
        inc hl
        ld e,(hl)
        ex de,hl
        and a
        sbc hl,bc
        ex de,hl
        dec hl
        ret nc
        inc hl
        inc hl
        ld e,(hl)
        inc hl
        ld d,(hl)
        inc hl
        add hl,de
        jr line_look
        ds $0A2A-$,trap

; CLS: an empty display file: 25 newlines below 3.25K, else 24 lines of 32 spaces.
; Clobbers all.
cls:    ld bc,$1821
        ld (S_POSN),bc
        ld a,(RAMTOP+1)
        cp $4D
        jp cls_lines
        ds $0A5D-$,trap

; RECLAIM-1: takes out the bytes from DE to HL-1. Clobbers A, BC, DE.
reclaim_1:
        jp reclaim_between

; RECLAIM-2: takes out BC bytes at HL. Keeps HL. Clobbers A, BC, DE.
reclaim_2:
        push hl
        push bc
        xor a
        sub c
        ld c,a
        sbc a,a
        sub b
        ld b,a
        call pointers
        pop bc
        ld d,h
        ld e,l
        add hl,bc
        push hl
        ld hl,(STKEND)
        and a
        sbc hl,de
        inc hl
        ld b,h
        ld c,l
        pop hl
        ldir
        pop hl
        ret

; reclaim_between: see RECLAIM-1
reclaim_between:
        and a
        sbc hl,de
        ld b,h
        ld c,l
        ex de,hl
        jr reclaim_2
        ds $0A98-$,trap

; ---------------------------------------------------------------- numbers on the screen

; OUT-NUM: prints BC without leading zeros. Keeps DE, HL. Clobbers A, BC.
out_num:
        push de
        push hl
        ld h,b
        ld l,c
        ld e,0                  ; no digit yet
        ld bc,-10000
        call out_digit
        ld bc,-1000
        call out_digit
        ld bc,-100
        call out_digit
        ld bc,-10
        call out_digit
        ld a,l
        add a,$1C
        rst $10
        pop hl
        pop de
        ret

; out_digit: one digit. in: HL=number, BC=less the power of ten. out: HL=the rest
out_digit:
        xor a
out_count:
        add hl,bc
        inc a
        jr c,out_count
        sbc hl,bc
        dec a
        or e
        ret z                   ; a leading zero
        ld e,$20                ; none any more
        or e
        sub $20-$1C
        rst $10
        ret

; make_gap: see MAKE-ROOM. The byte at STKEND moves too, which does no harm.
make_gap:
        push hl
        call test_room
        pop hl
        ld de,(STKEND)
        push de
        call pointers
        pop de
        ex de,hl                ; HL=old STKEND, DE=address
        push hl
        and a
        sbc hl,de
        inc hl
        ex (sp),hl              ; bytes to move
        ld d,h
        ld e,l
        add hl,bc
        ex de,hl
        pop bc
        lddr
        ret

; cls_lines: see CLS. in: carry for the short form
; First longer, then written from the end, then shorter: at no time has the display
; file fewer than its 25 newlines, since SLOW shows it meanwhile.
cls_lines:
        ld bc,25
        jr c,cls_size
        ld bc,24*33+1
cls_size:
        ld hl,(D_FILE)
        add hl,bc
        ex de,hl
        ld hl,(VARS)
        and a
        sbc hl,de
        jr nc,cls_fill
        push bc
        xor a
        sub l
        ld c,a
        sbc a,a
        sub h
        ld b,a
        ld hl,(VARS)
        dec hl
        call make_room
        pop bc
cls_fill:
        ld hl,(D_FILE)
        add hl,bc
        ld d,24
cls_line:
        dec hl
        ld (hl),newline
        ld a,b
        or a
        jr z,cls_next
        ld e,32
cls_space:
        dec hl
        ld (hl),0
        dec e
        jr nz,cls_space
cls_next:
        dec d
        jr nz,cls_line
        ld (DF_CC),hl
        dec hl
        ld (hl),newline
        add hl,bc
        ex de,hl
        ld hl,(VARS)
        and a
        sbc hl,de
        ret z
        ld b,h
        ld c,l
        ex de,hl
        jp reclaim_2
        ds $0B6B-$,trap

; PR-STRING: prints BC characters from DE on. Clobbers A, BC, DE.
pr_string:
        ld a,b
        or c
        ret z
        ld a,(de)
        rst $10
        inc de
        dec bc
        jr pr_string
        ds $0BAF-$,trap

; ---------------------------------------------------------------- graphics

; PLOT with the coordinates on the calculator stack, y last
plot_stack:
        call two_integers

; PLOT/UNPLOT: in: B=y 0 to 43, C=x 0 to 63; T_ADDR=$9B plots, $A0 and above unplots.
; Clobbers all. Error B.
; Codes 0 to 7 and $87 to $80 are the sixteen blocks of four quarters: bit 0 top left,
; 1 top right, 2 bottom left, and with bit 7 the opposite.
plot:   ld (COORDS),bc
        ld a,43
        sub b
        jr c,plot_range
        ld e,1
        srl a
        jr nc,plot_upper
        ld e,4
plot_upper:
        srl c
        jr nc,plot_left
        sla e
plot_left:
        ld b,a
        ld a,31
        cp c
        jr c,plot_range
        push de
        call print_at
        pop de
        ld hl,(DF_CC)
        ld a,(hl)
        cp 8
        jr c,plot_quarters
        xor $8F
        cp 16
        jr nc,plot_empty
        cp 8
        jr nc,plot_quarters
plot_empty:
        xor a                   ; any other character counts as none
plot_quarters:
        ld d,a
        ld a,(T_ADDR)
        cp $9E
        ld a,e
        jr c,plot_set
        cpl
        and d
        jr plot_code
plot_set:
        or d
plot_code:
        bit 3,a
        jr z,plot_print
        xor $8F
plot_print:
        rst $10
        ret
plot_range:
        jp out_of_range
        ds $0C0E-$,trap

; SCROLL: the first line leaves, an empty one comes above the DF_SZ last ones and gets
; the print position. Clobbers all.
scroll: ld bc,(DF_SZ-1)
        ld c,33
        call loc_addr
        dec hl                  ; the new line starts with this newline
        ld bc,1
        ld a,(RAMTOP+1)
        cp $4D
        jr c,scroll_room
        ld c,33
scroll_room:
        push bc
        call make_room
        pop bc
        inc hl
        ld (hl),newline
scroll_space:
        dec c
        jr z,scroll_first
        inc hl
        ld (hl),0
        jr scroll_space
scroll_first:
        ld hl,(D_FILE)
        inc hl
        ld d,h
        ld e,l
        ld a,newline
scroll_find:
        cp (hl)
        inc hl
        jr nz,scroll_find
        call reclaim_1
        ld bc,(DF_SZ-1)
        inc b
        ld c,33
        jp loc_addr

; two_integers: out: B=last, C=the one before on the calculator stack
two_integers:
        call fp_to_bc
        push bc
        call fp_to_bc
        pop hl
        ld b,l
        ret

; ---------------------------------------------------------------- variables, characters

; look_var: in: A=code of a letter. out: carry clear, HL=the five bytes of the number
; of that name; or carry set, HL=the $80 at the end. Clobbers A, BC, D.
look_var:
        add a,$40
        ld d,a
        ld hl,(VARS)
look_next:
        ld a,(hl)
        cp $80
        scf
        ret z
        cp d
        inc hl
        ret z
        ld bc,5
        and $E0
        cp $60                  ; number
        jr z,look_skip
        cp $A0                  ; number with a longer name
        jr z,look_name
        ld c,17
        cp $E0                  ; FOR
        jr z,look_skip
        ld c,(hl)               ; string or array with its length
        inc hl
        ld b,(hl)
        inc hl
        jr look_skip
look_name:
        bit 7,(hl)
        inc hl
        jr z,look_name
look_skip:
        add hl,bc
        jr look_next

; at_char, after_char: see GET-CHAR, NEXT-CHAR
after_char:
        inc hl
        ld (CH_ADD),hl
at_char:
        ld a,(hl)
        and a
        jr z,after_char
        cp $7F                  ; the cursor
        jr z,after_char
        ret
        ds $0EA7-$,trap

; ---------------------------------------------------------------- integers

; FIND-INT: out: BC, taken from the calculator stack. Clobbers A, DE, HL. Error B.
find_int:
        jp fp_to_bc
        ds $0EC5-$,trap

; TEST-ROOM: error 4 unless BC and 36 more bytes fit between STKEND and SP.
; Keeps BC. Clobbers DE, HL.
test_room:
        ld hl,(STKEND)
        add hl,bc
        jr c,no_room
        ex de,hl
        ld hl,36
        add hl,de
        sbc hl,sp
        ret c
no_room:
        rst $08
        db $03                  ; 4: out of memory
        ds $0F23-$,trap

; ---------------------------------------------------------------- modes and keys

; FAST and SLOW. Keep all but HL and F.
fast:   call set_fast
        res 6,(iy+CDFLAG-RAM)
        ret
slow:   set 6,(iy+CDFLAG-RAM)
        jp slow_fast
        ds $0F32-$,trap

; PAUSE: shows the screen for the number of frames on the calculator stack, or until a
; key is pressed; at $0F35 for BC frames. Clobbers all but IY.
pause:  call find_int
        jp pause_frames
        ds $0F46-$,trap

; BREAK-1: out: carry clear while SPACE is down. DEBOUNCE: forgets the key that is
; held. Clobber A.
break_1:
        ld a,$7F
        in a,($FE)
        rra
debounce:
        res 0,(iy+CDFLAG-RAM)
        ld a,$FF
        ld (DEB_K),a
        ret

; pause_frames: see PAUSE
pause_frames:
        inc bc                  ; the count is lowered before each frame
        ld (FRAMES),bc
        call set_fast
        call frame
        ld (iy+FRAMES+1-RAM),$FF
        call slow_fast
        jr debounce
        ds $151D-$,trap

; ---------------------------------------------------------------- calculator stack

; STACK-A, STACK-BC: in: A or BC. Clobbers A, BC, DE, HL. Error 4.
stack_a:
        ld c,a
        ld b,0
stack_bc:
        push bc
        ld bc,5
        call test_room
        pop bc
        ld hl,(STKEND)
        call bc_to_float
        ld (STKEND),hl
        ret
        ds $158A-$,trap

; FP-TO-BC: out: BC. Clobbers A, DE, HL. Error B.
fp_to_bc:
        ld hl,(STKEND)
        ld de,-5
        add hl,de
        ld (STKEND),hl
        jp float_to_bc

; bc_to_float: in: BC, HL=address. out: five bytes there, HL after them. Clobbers A, BC.
bc_to_float:
        ld a,b
        or c
        jr z,float_store
        ld a,144
float_normal:
        bit 7,b
        jr nz,float_sign
        sla c
        rl b
        dec a
        jr float_normal
float_sign:
        res 7,b
float_store:
        ld (hl),a
        inc hl
        ld (hl),b
        inc hl
        ld (hl),c
        inc hl
        xor a
        ld (hl),a
        inc hl
        ld (hl),a
        inc hl
        ret
        ds $15DB-$,trap

; PRINT-FP: prints the number on the calculator stack, 0 to 65535
print_fp:
        call fp_to_bc
        jp out_num
        ds $1E00-$,trap

        include "glyphs.asm"

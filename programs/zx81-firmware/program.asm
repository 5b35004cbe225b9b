; Loading a program and running its lines: $0340-$07F0

        entry $0340

        section tape

; LOAD: the next program, whatever its name. 2 bytes, 12 T.
load:   jr next_prog
        entry $0347

; NEXT-PROG: loads the next program from the tape and runs it. Any name will do; then
; come the bytes from VERSN to E_LINE-1.
; in: the address of next_line on the stack. Leaves through slow_fast. 32 bytes.
next_prog:
        call tape_byte
        rl c
        jr nc,next_prog         ; bit 7 marks the end of the name
        ld hl,E_LINE+1
        inc (hl)                ; the end cannot be met before it is loaded
        ld hl,VERSN
.next:
        call tape_byte
        ld (hl),c
        inc hl
        ld de,(E_LINE)
        ld a,l
        sub e
        ld a,h
        sbc a,d
        jr c,.next
        jp slow_fast

; tape_byte: out: C. Keeps HL. Clobbers A, B, DE.
; A bit is 4 (zero) or 9 (one) pulses and then silence. The edges are counted, so
; the polarity does not matter; a click of fewer than four edges is no bit.
; 40 bytes, 60 T between samples.
tape_byte:
        ld c,1
.bit:
        ld e,0                  ; edges
.quiet:
        ld b,34                 ; 2000 T states, four times a pulse
.sample:
        ld a,$7F                ;  7
        in a,($FE)              ; 11
        rra                     ;  4
        jr nc,tape_break        ;  7  SPACE
        xor d                   ;  4
        and $40                 ;  7
        jr nz,.edge             ;  7
        djnz .sample            ; 13
        ld a,e
        cp 4
        jr c,.bit
        cp 13
        ccf
        rl c
        jr nc,.bit
        ret
.edge:
        xor d
        ld d,a
        inc e
        jr .quiet
tape_break:
        rst $08
        db $0C                  ; D: BREAK
        entry $03C3

        section initial

; NEW: everything as after power-up. 6 bytes.
new:    call set_fast
        jp cold
        entry $03E5

; INITIAL: the system variables and the machine stack for a machine with RAM up to
; RAMTOP-1 and no program; then waits for the tape. 69 bytes.
initial:
        im 1
        ld a,$1E
        ld i,a
        ld iy,RAM
        ld hl,(RAMTOP)
        dec hl
        ld (hl),$3E             ; end of the GOSUB stack
        dec hl
        ld sp,hl
        ld hl,next_line
        push hl
        ld (ERR_SP),sp
        ld hl,first_values
        ld de,D_FILE
        ld bc,first_values_end-first_values
        ldir
        ld hl,PROGRAM
        ld b,25
.lines:
        ld (hl),newline
        inc hl
        djnz .lines
        ld (hl),$80             ; end of the variables
        dec b
        ld (iy+ERR_NR-RAM),b    ; $FF
        ld (iy+FRAMES-RAM),b
        ld (iy+FRAMES+1-RAM),b
        ld (iy+CDFLAG-RAM),$40
        call cls
        jp next_prog

        section values

; value: the value of an operand: a number, a variable, VAL of a number in quotes, or
; USR of one of these. Other tokens before it are skipped.
; in: HL=expression, T_ADDR=token of the statement. out: BC. Error 2, B, C, 4. 52 bytes.
value:  ld a,(hl)
        inc hl
        cp newline
        jr z,.nonsense
        cp $0B                  ; a quote
        jr z,.nonsense
        cp $D4                  ; USR
        jp z,value_usr
        cp $C5                  ; VAL
        jr z,value_val
        cp $1B                  ; . and digits: the value follows $7E
        jr c,value
        cp $26
        jr c,.literal
        cp $40
        jr nc,value

; a variable: its five bytes are in the variables
        call look_var
        jr nc,value_float
        rst $08
        db $01                  ; 2: no such variable
.nonsense:
        rst $08
        db $0B                  ; C: not an operand

.literal:
        ld a,(hl)
        inc hl
        cp $7E
        jr nz,.literal
value_float:
        ld bc,5
        call value_room

; float_to_bc: in: HL=five bytes. out: BC, rounded. Clobbers A, HL. Error B.
; 33 bytes, 32 T for 0, else 104 and 32 for each shift.
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
.shift:
        srl b
        rr c
        inc a
        jr nz,.shift
        ret nc
        inc bc
        ret
out_of_range:
        rst $08
        db $0A                  ; B: integer out of range

; VAL "digits". The real VAL needs more room for a copy of the string. 30 bytes.
value_val:
        inc hl                  ; the quote
        ld bc,55
        call value_room
        ex de,hl
        ld hl,0
.digit:
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
        jr .digit

; value_room: error 4 unless BC bytes and the machine stack have room, as deep as it
; is when the machine's own BASIC tests it. Keeps HL. 12 bytes, 210 to 240 T.
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
; out: HL=10 for RAND, 8, or 6 for PRINT. Clobbers A. 17 bytes, 41 to 71 T.
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
; of STACK-BC; the machine stack is as deep as programs find it in a ZX81. 32 bytes.
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
; in: A=code. 71 bytes.
report: push af
        ld bc,$0221
        ld (iy+DF_SZ-RAM),0
        call loc_addr
        ld de,(VARS)
.clear:
        ld a,(hl)
        cp newline
        jr z,.kept
        ld (hl),0
.kept:
        inc hl
        ld a,l
        sub e
        ld a,h
        sbc a,d
        jr c,.clear
        ld bc,$0121
        call loc_addr
        pop af
        cp trap+1
        jr nz,.code
        ld a,$0F-$1C            ; ?
.code:
        add a,$1C
        rst $10
        ld a,$18                ; /
        rst $10
        ld bc,(PPC)
        call out_num
        ld (iy+DF_SZ-RAM),2
        call slow_fast
.show:
        bit 7,(iy+CDFLAG-RAM)
        call z,frame
        jr .show
        entry $0676

        section lines

; next_line: runs the line at NXTLIN, or stops with a report. Errors come here, too.
; 103 bytes.
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
        ld (CH_ADD),hl
        ld (T_ADDR),a
        sub $E3                 ; STOP, the first statement known
        jr c,.end
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
.end:
        cp newline+$100-$E3
        ret z
nonsense:
        rst $08
        db $0B                  ; C: not one of these
        entry $0724

; put_line: the head of a line, downward: (HL)=B, (HL-1)=C, (HL-2)=E, (HL-3)=D
; out: HL less 3. 8 bytes, 56 T.
put_line:
        ld (hl),b
        dec hl
        ld (hl),c
        dec hl
        ld (hl),e
        dec hl
        ld (hl),d
        ret

; The statements from STOP ($E3) to $FF, as distances from statements_at, and their
; routines. in: HL=what follows the token. They return to next_line. 107 bytes.
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
        jr nc,.number
        ld bc,6                 ; a new variable before the $80
        call make_room
        inc hl
        ld a,(T_ADDR+1)
        add a,$40
        ld (hl),a
        inc hl
.number:
        pop bc
        jp bc_to_float

; stop_with: in: A=report code less one, HL=address of that code. Does not return.
; 16 bytes.
stop_with:
        ld (ERR_NR),a
        cp trap
        jr nz,.here
        dec hl                  ; the address that was called
        ld (PPC),hl
.here:
        ld sp,(ERR_SP)
        ret                     ; to next_line

        entry $07BD

; DECODE: in: B, C=H, L of KEYBOARD. out: carry set, HL=address of the character of
; the key in key_table, A=its number there plus one; carry clear without a key or
; with two. Clobbers BC. 39 bytes, 259 to 495 T.
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
.row:
        add a,5
        scf
        rr c
        jr c,.row
        inc c
        ret nz                  ; two rows
        dec a
.column:
        inc a
        scf
        rr b
        jr c,.column
        inc b
        ret nz                  ; two columns
        ld hl,key_table-1
        ld c,a                  ; B is 0
        add hl,bc
        scf
        ret
        entry $07F1

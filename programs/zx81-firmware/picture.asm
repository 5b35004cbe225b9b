; The picture in SLOW and FAST, and the keyboard: $0207-$033F

        entry $0207

        section picture

; SLOW/FAST: goes on in SLOW when CDFLAG asks for it. Clobbers nothing in SLOW,
; HL and F otherwise. 13 bytes, 33 T when FAST stays.
slow_fast:
        ld hl,CDFLAG
        bit 6,(hl)
        ret z
        bit 7,(hl)
        ret nz
        set 7,(hl)
        jr display_1
        entry $0220

; DISPLAY-1: the lower end of the picture for a program's own display routine: saves
; the registers on the stack of the picture, makes the frame pulse, and returns to
; the caller within the upper margin. 6 bytes, 56 T.
display_1:
        push af
        push bc
        push de
        push hl
        jr frame
        entry $0229

; frame: counts the frame, makes the frame pulse with the keyboard scanned in it, and
; starts the upper margin. In SLOW it is entered with the program's registers on the
; stack. In FAST it is a subroutine that shows the picture until a key is pressed or
; until FRAMES with bit 15 clear has reached 0.
; IN in KEYBOARD starts the pulse and OUT ends it, 1228 T later in SLOW and 1232 in
; FAST. 70 bytes.
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
        jr c,.pulse             ; 12  SLOW
        and 2
        ret nz
        ld hl,(FRAMES)
        ld a,h
        or l
        ret z
        ld b,20                 ;  7
.pulse:
        djnz .pulse             ; 13 each, 8 the last
        jp frame_end            ; 10
        entry $0275
frame_end:
        out ($FF),a             ; 11  end of the pulse
        nop                     ;  4
        nop                     ;  4
        ld hl,(D_FILE)          ; 16
        set 7,h                 ;  8
        entry $027E
        call margin_lines       ; 17  upper margin; returns through IX
        entry $0281

; upper: the 192 lines. IX points here during the upper margin.
; in: HL=display file+$8000. 14 bytes, 63 T to the first HALT.
upper:  ret nz                  ;  5  never: Z is set here, only the time counts
        ld bc,$1901             ; 25 rows, the first of one line
        ld a,$F4
        call display
        ex de,hl
        dec hl                  ; the last HALT
        call margin_lines
        entry $028F

; lower: the end of the picture. IX points here during the lower margin. 3 bytes, 10 T.
lower:  jp frame
        entry $0292

; margin_lines: starts a margin of MARGIN lines, after which the instruction after
; this call is executed. In SLOW the program goes on meanwhile.
; in: the address to come back to, and in SLOW HL DE BC AF PC on the stack; in FAST
; B=0, HL=a HALT in the display file+$8000. 18 bytes, 83 T in SLOW.
margin_lines:
        pop ix                  ; 14
        bit 7,(iy+CDFLAG-RAM)   ; 20
        jp z,margin_fast        ; 10
        ld a,(MARGIN)           ; 13
        cpl                     ;  4
        add a,2                 ;  7
        ex af,af'               ;  4
        out ($FE),a             ; 11  NMI generator on
        entry $02A4

; the program's registers back. 5 bytes, 50 T.
program_on:
        pop hl
        pop de
        pop bc
        pop af
        ret
        entry $02A9

; margin_fast: blank lines: one row of C lines that has no characters. 12 bytes.
margin_fast:
        ld c,(iy+MARGIN-RAM)
        inc b                   ;  4  B is 0 after the pulse and after the picture
        nop                     ;  4
        ld a,$F2
        call display
        jp (ix)
        entry $02B5

; DISPLAY-5: runs the display file as a program, so that the hardware shows it.
; in: HL=address in the upper half, B=rows, C=lines in the first row, A=value of R
; for the first line. The row ends with HALT; INT comes when bit 6 of R falls.
; out: DE=after the last HALT, HL=start of the last row, B=0. Clobbers A, C, R.
; 6 bytes, 24 T.
display:
        ld r,a
        ld a,$DD                ; 34 fetches to a line
        ei
        jp (hl)
        entry $02BB

        section keyboard

; KEYBOARD: out: L=rows with a key down as 0 bits, H=columns as 0 bits 1 to 5, bit 0
; of H is 0 for SHIFT; $FFFF without a key. MARGIN is set by the 50/60 Hz bit.
; Clobbers A, BC, DE. Starts the frame pulse when the NMI generator is off.
; 43 bytes, 723 T.
keyboard:
        ld bc,$FEFE
        ld hl,$FFFF
        in a,(c)                ; 12
        or 1                    ;  7  SHIFT is no key
.row:
        or $E0                  ;  7
        ld d,a                  ;  4
        and h                   ;  4
        ld h,a                  ;  4
        ld a,d                  ;  4
        add a,1                 ;  7
        sbc a,a                 ;  4  0 for a key, $FF for none
        or b                    ;  4
        and l                   ;  4
        ld l,a                  ;  4
        rlc b                   ;  8
        in a,(c)                ; 12
        jr c,.row               ; 12
        rrca                    ; row of SHIFT again
        rl h
        and $20                 ; bit 6 was 1 with 50 Hz
        rrca
        ld d,a
        rrca
        or d                    ; three quarters: 24
        add a,31
        ld (MARGIN),a
        ret
        entry $02E7

; SET-FAST: ends SLOW until slow_fast. Keeps all but F. 13 bytes, 31 T in FAST.
set_fast:
        bit 7,(iy+CDFLAG-RAM)
        ret z
        halt                    ; a line's start: the margin is not in its last lines
        res 7,(iy+CDFLAG-RAM)
        out ($FD),a
        ret

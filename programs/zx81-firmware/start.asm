; Restarts, INT and NMI, the key table and start-up: $0000-$0206

        section restarts
        org $0000

; START: power-up. The NMI generator may be on after a reset. 5 bytes, 21 T.
start:  out ($FD),a
        jp cold
        entry $0008

; ERROR: RST $08 and a byte. Stops the program with the report of that byte plus one.
; in: byte after the call. Does not return. 5 bytes, 27 T to stop_with.
error:  pop hl
        ld a,(hl)
        jp stop_with
        entry $0010

; PRINT: in: A, a character code or newline. Keeps A, BC, DE, HL.
; 3 bytes, 10 T to print_a.
print:  jp print_a
        entry $0018

; GET-CHAR: out: A, the character at CH_ADD, the first that is not a space. 6 bytes.
get_char:
        ld hl,(CH_ADD)
        jp at_char
        entry $0020

; NEXT-CHAR: the same for the next character; CH_ADD and HL point at it. 6 bytes.
next_char:
        ld hl,(CH_ADD)
        jp after_char
        entry $0038

; INT: the end of one TV line of the picture; see display for the registers.
; The way through takes 41 T states either way up to scan_line, 58 to the display
; file, so that a line with its interrupt (13) and 34 fetches takes 207. 17 bytes, 58 T.
interrupt:
        pop de                  ; 10  where the HALT of this row ends
        dec c                   ;  4  scan lines left in the row
        jr nz,.row              ;  7 or 12
        dec b                   ;  4
        ret z                   ;  5  that was the last row
        ex de,hl                ;  4  the next row starts there
        ld c,8                  ;  7
.line:
        ld r,a                  ;  9
        ei                      ;  4
        jp (hl)                 ;  4
.row:
        ret z                   ;  5  never: Z is clear here, only the time counts
        jp .line                ; 10
        entry $0066

; NMI: one margin line. 32 T states unless it is the last but one, which leads to
; margin_end. The NMI that ends the HALT there counts to 1 and returns.
; 7 bytes, 32 T, 22 to margin_end.
nmi:    ex af,af'               ;  4
        inc a                   ;  4
        jp z,margin_end         ; 10
        ex af,af'               ;  4
        ret                     ; 10

; margin_end: saves the program's registers, waits for the next line so that the
; time is known exactly, and goes on with the picture.
; out: HL=display file in the upper half of memory, stack HL DE BC AF PC
; 17 bytes, 76 T to the HALT, 26 after its NMI.
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

        entry $007E

        section keys

; The key table: unshifted, then shifted, each row by row from SHIFT-V to SPACE-B and
; inward from the edge of the keyboard; SHIFT itself has no entry. Character codes
; and, shifted, the codes of the words and editing keys on the keys. 78 bytes.
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

        section start_up

; cold: finds the size of the RAM, 1K to 16K, clears it and goes to INITIAL. Each
; byte gets the number of its page, from the top down; where the RAM is smaller than
; its address space and repeats, the lowest address is the last to be written. 24 bytes.
cold:   ld hl,$7FFF
.fill:
        ld (hl),h
        dec hl
        bit 6,h
        jr nz,.fill
.test:
        inc hl
        ld a,(hl)
        cp h
        jr nz,.end
        ld (hl),0
        jr .test
.end:
        ld (RAMTOP),hl
        jp initial

; The system variables from D_FILE to MARGIN in a machine without a program. The
; display file is empty lines and VARS is empty. 29 bytes.
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
; Clobbers A, HL. 15 bytes, 76 T.
count_frame:
        ld hl,(FRAMES)          ; 16
        dec hl                  ;  6
        ld a,h                  ;  4
        res 7,a                 ;  8
        or l                    ;  4
        jr nz,.counted          ; 12
        ld h,a                  ; 0 comes once, then $FFFF
.counted:
        ld (FRAMES),hl          ; 16
        ret                     ; 10

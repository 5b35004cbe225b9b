; The display file: printing, clearing, scrolling, plotting: $07F1-$0C56

        section print

; PRINT-CH: in: A. Keeps A, BC, DE, HL; clobbers BC', DE', HL'. Error 5 when the
; screen is full. 52 bytes, 254 T, newline 324.
print_a:
        exx
        push af
        ld bc,(S_POSN)
        dec c
        cp newline
        jr z,.newline
        ld a,c
        or a
        call z,new_line
        call print_full
        ld hl,(DF_CC)
        ld a,(hl)
        cp newline
        jr nz,.store            ; a full line is overwritten
        call one_space          ; a short one grows
        inc hl
.store:
        pop af
        ld (hl),a
        inc hl
        ld (DF_CC),hl
        ld hl,S_POSN
        dec (hl)
        jr .end
.newline:
        call print_full
        call new_line
        pop af
.end:
        exx
        ret

; print_full: error 5 when the line B is not above the DF_SZ last ones. Clobbers A.
; 7 bytes, 28 T.
print_full:
        ld a,(DF_SZ)
        cp b
        ret c
        rst $08
        db $04                  ; 5: screen full

; new_line: moves the print position to the next line
; out: BC=S_POSN. Clobbers A, HL. 24 bytes, 120 T and 25 for each character passed.
new_line:
        ld hl,(DF_CC)
        ld a,newline
.line_find:
        cp (hl)
        inc hl
        jr nz,.line_find
        ld (DF_CC),hl
        ld bc,(S_POSN)
        dec b
        ld c,33
        ld (S_POSN),bc
        ret

        entry $0869

; COPY: there is no printer. 1 byte, 10 T.
copy:   ret
        entry $08F5

; PRINT-AT: in: B=line, C=column. Clobbers all. Error 5, B.
; 21 bytes, 249 T for 0,0; 3794 for 21,31 of empty lines.
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
        entry $0918

; LOC-ADDR: sets the print position. A short line is filled up with spaces.
; in: B=24 less the line, C=33 less the column. out: HL=DF_CC. Clobbers A, BC, DE.
; 52 bytes.
loc_addr:
        ld (S_POSN),bc
        ld hl,(D_FILE)
        ld a,25
        sub b
        ld b,a
        ld a,newline
.line:
        cp (hl)
        inc hl
        jr nz,.line
        djnz .line
        ld a,33
        sub c
        jr z,.found
        ld c,a
.column:
        ld a,(hl)
        cp newline
        jr z,.pad
        inc hl
        dec c
        jr nz,.column
.found:
        ld (DF_CC),hl
        ret
.pad:
        push bc                 ; B is 0
        call make_room
        pop bc
.space:
        inc hl
        ld (hl),0
        dec c
        jr nz,.space
        inc hl
        jr .found
        entry $099B

        section memory

; ONE-SPACE: MAKE-ROOM for one byte. 3 bytes.
one_space:
        ld bc,1

; MAKE-ROOM: opens a gap. in: HL=address, BC=bytes. out: HL=byte before the gap, DE=its
; last byte, BC=0. Clobbers A. Error 4. 3 bytes.
make_room:
        jp make_gap
        entry $09AD

; POINTERS: adds BC to each of the nine pointers D_FILE to STKEND that is above HL.
; Keeps BC, HL. Clobbers A, DE. 27 bytes, 644 T and 43 for each moved.
pointers:
        ex de,hl
        ld hl,D_FILE
.next:
        ld a,e
        sub (hl)
        inc hl
        ld a,d
        sbc a,(hl)
        jr nc,.keep
        dec hl
        ld a,(hl)
        add a,c
        ld (hl),a
        inc hl
        ld a,(hl)
        adc a,b
        ld (hl),a
.keep:
        inc hl
        ld a,l
        cp low(STKEND+2)
        jr nz,.next
        ex de,hl
        ret
        entry $09D8

; LINE-ADDR: out: HL=the first line whose number is not below HL. Clobbers A, BC, DE.
; 27 bytes, 95 T and 132 for each line passed.
line_addr:
        ld b,h
        ld c,l
        ld hl,PROGRAM
.look:
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
        jr .look
        entry $0A2A

; CLS: an empty display file: 25 newlines below 3.25K, else 24 lines of 32 spaces.
; Clobbers all. 15 bytes, 3106 T in 1K with empty lines.
cls:    ld bc,$1821
        ld (S_POSN),bc
        ld a,(RAMTOP+1)
        cp $4D
        jp cls_lines
        entry $0A5D

; RECLAIM-1: takes out the bytes from DE to HL-1. Clobbers A, BC, DE. 3 bytes.
reclaim_1:
        jp reclaim_between

; RECLAIM-2: takes out BC bytes at HL. Keeps HL. Clobbers A, BC, DE.
; 30 bytes, 831 T, 43 for each pointer and 21 for each byte moved.
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

; reclaim_between: see RECLAIM-1. 8 bytes.
reclaim_between:
        and a
        sbc hl,de
        ld b,h
        ld c,l
        ex de,hl
        jr reclaim_2
        entry $0A98

        section numbers

; OUT-NUM: prints BC without leading zeros. Keeps DE, HL. Clobbers A, BC.
; 37 bytes, 691 T for 0, 6687 for 9999.
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
; 17 bytes, 60 T for a leading zero.
out_digit:
        xor a
.count:
        add hl,bc
        inc a
        jr c,.count
        sbc hl,bc
        dec a
        or e
        ret z                   ; a leading zero
        ld e,$20                ; none any more
        or e
        sub $20-$1C
        rst $10
        ret

        section moves

; make_gap: see MAKE-ROOM. The byte at STKEND moves too, which does no harm.
; 29 bytes, 922 T, 43 for each pointer and 21 for each byte moved.
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
; file fewer than its 25 newlines, since SLOW shows it meanwhile. 81 bytes.
cls_lines:
        ld bc,25
        jr c,.size
        ld bc,24*33+1
.size:
        ld hl,(D_FILE)
        add hl,bc
        ex de,hl
        ld hl,(VARS)
        and a
        sbc hl,de
        jr nc,.fill
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
.fill:
        ld hl,(D_FILE)
        add hl,bc
        ld d,24
.line:
        dec hl
        ld (hl),newline
        ld a,b
        or a
        jr z,.next
        ld e,32
.space:
        dec hl
        ld (hl),0
        dec e
        jr nz,.space
.next:
        dec d
        jr nz,.line
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
        entry $0B6B

; PR-STRING: prints BC characters from DE on. Clobbers A, BC, DE.
; 9 bytes, 55 T and print_a for each.
pr_string:
        ld a,b
        or c
        ret z
        ld a,(de)
        rst $10
        inc de
        dec bc
        jr pr_string
        entry $0BAF

        section graphics

; PLOT with the coordinates on the calculator stack, y last. 3 bytes.
plot_stack:
        call two_integers

; PLOT/UNPLOT: in: B=y 0 to 43, C=x 0 to 63; T_ADDR=$9B plots, $A0 and above unplots.
; Clobbers all. Error B.
; Codes 0 to 7 and $87 to $80 are the sixteen blocks of four quarters: bit 0 top left,
; 1 top right, 2 bottom left, and with bit 7 the opposite.
; 78 bytes, 5456 T for 16,16 of empty lines.
plot:   ld (COORDS),bc
        ld a,43
        sub b
        jr c,.range
        ld e,1
        srl a
        jr nc,.upper
        ld e,4
.upper:
        srl c
        jr nc,.left
        sla e
.left:
        ld b,a
        ld a,31
        cp c
        jr c,.range
        push de
        call print_at
        pop de
        ld hl,(DF_CC)
        ld a,(hl)
        cp 8
        jr c,.quarters
        xor $8F
        cp 16
        jr nc,.empty
        cp 8
        jr nc,.quarters
.empty:
        xor a                   ; any other character counts as none
.quarters:
        ld d,a
        ld a,(T_ADDR)
        cp $9E
        ld a,e
        jr c,.set
        cpl
        and d
        jr .code
.set:
        or d
.code:
        bit 3,a
        jr z,.print
        xor $8F
.print:
        rst $10
        ret
.range:
        jp out_of_range
        entry $0C0E

; SCROLL: the first line leaves, an empty and short one comes above the DF_SZ last ones
; and gets the print position. Clobbers all. 41 bytes, 5928 T with empty lines.
scroll: ld bc,(DF_SZ-1)
        ld c,33
        call loc_addr
        dec hl
        call one_space          ; a newline before a newline
        inc hl
        ld (hl),newline
        ld hl,(D_FILE)
        inc hl
        ld d,h
        ld e,l
        ld a,newline
.find:
        cp (hl)
        inc hl
        jr nz,.find
        call reclaim_1
        ld bc,(DF_SZ-1)
        inc b
        ld c,33
        jp loc_addr

; two_integers: out: B=last, C=the one before on the calculator stack. 10 bytes.
two_integers:
        call fp_to_bc
        push bc
        call fp_to_bc
        pop hl
        ld b,l
        ret

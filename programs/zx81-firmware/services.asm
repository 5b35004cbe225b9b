; Variables, numbers, modes, and the other entry points: $0C57-$15E1

        section variables

; look_var: in: A=code of a letter. out: carry clear, HL=the five bytes of the number
; of that name; or carry set, HL=the $80 at the end. Clobbers A, BC, D.
; 47 bytes, 56 T and 97 for each number passed.
look_var:
        add a,$40
        ld d,a
        ld hl,(VARS)
.next:
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
        jr z,.skip
        cp $A0                  ; number with a longer name
        jr z,.name
        ld c,17
        cp $E0                  ; FOR
        jr z,.skip
        ld c,(hl)               ; string or array with its length
        inc hl
        ld b,(hl)
        inc hl
        jr .skip
.name:
        bit 7,(hl)
        inc hl
        jr z,.name
.skip:
        add hl,bc
        jr .next

; at_char, after_char: see GET-CHAR, NEXT-CHAR. 13 bytes.
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
        entry $0EA7

        section checks

; FIND-INT: out: BC, taken from the calculator stack. Clobbers A, DE, HL. Error B.
; 3 bytes.
find_int:
        jp fp_to_bc
        entry $0EC5

; TEST-ROOM: error 4 unless BC and 36 more bytes fit between STKEND and SP.
; Keeps BC. Clobbers DE, HL. 18 bytes, 92 T.
test_room:
        ld hl,36
        add hl,bc
        jr c,.full
        ld de,(STKEND)
        add hl,de
        jr c,.full
        sbc hl,sp
        ret c
.full:
        rst $08
        db $03                  ; 4: out of memory
        entry $0F23

        section modes

; FAST and SLOW. Keep all but HL and F. 15 bytes, 81 T for FAST in FAST.
fast:   call set_fast
        res 6,(iy+CDFLAG-RAM)
        ret
slow:   set 6,(iy+CDFLAG-RAM)
        jp slow_fast
        entry $0F32

; PAUSE: shows the screen for the number of frames on the calculator stack, or until a
; key is pressed; at $0F35 for BC frames. Clobbers all but IY. 6 bytes.
pause:  call find_int
        jp pause_frames
        entry $0F46

; BREAK-1: out: carry clear while SPACE is down. DEBOUNCE: forgets the key that is
; held. Clobber A. 15 bytes, 75 T; DEBOUNCE 53.
break_1:
        ld a,$7F
        in a,($FE)
        rra
debounce:
        res 0,(iy+CDFLAG-RAM)
        ld a,$FF
        ld (DEB_K),a
        ret

; pause_frames: see PAUSE. 20 bytes.
pause_frames:
        inc bc                  ; the count is lowered before each frame
        ld (FRAMES),bc
        call set_fast
        call frame
        ld (iy+FRAMES+1-RAM),$FF
        call slow_fast
        jr debounce
        entry $151D

        section calculator

; STACK-A, STACK-BC: in: A or BC. Clobbers A, BC, DE, HL. Error 4.
; 21 bytes, 321 to 1026 T.
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
        entry $158A

; FP-TO-BC: out: BC. Clobbers A, DE, HL. Error B. 13 bytes, 160 to 647 T.
fp_to_bc:
        ld hl,(STKEND)
        ld de,-5
        add hl,de
        ld (STKEND),hl
        jp float_to_bc

; bc_to_float: in: BC, HL=address. out: five bytes there, HL after them. Clobbers A, BC.
; 31 bytes, 99 T for 0, else 129 and 47 for each shift.
bc_to_float:
        ld a,b
        or c
        jr z,.store
        ld a,144
.normal:
        bit 7,b
        jr nz,.sign
        sla c
        rl b
        dec a
        jr .normal
.sign:
        res 7,b
.store:
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
        entry $15DB

; PRINT-FP: prints the number on the calculator stack, 0 to 65535. 6 bytes.
print_fp:
        call fp_to_bc
        jp out_num
        entry $1E00

LAST_K  equ $4025
DECODE  equ $07bd
        charmap "zx81"

PITCH   equ 10
a1      equ low(squares)
a8      equ a1-7*PITCH
h1      equ a1+7
h8      equ a8+7
e1      equ a1+4
e8      equ a8+4
a3      equ a1-2*PITCH
a7      equ a1-6*PITCH
END     equ $76                 ; ends a list of steps; also the newline

MATED   equ $17
STALE   equ $94
WIDE    equ 2                   ; plies with quiet moves
DEEP    equ 2                   ; plies of captures after them

entry   equ $4002               ; target, source
move    equ $4004
        org $4018
side:   db 0
depth:  db 0
        org $401f
wide:   db 0
        org $4032
dbl:    db 0
ep:     db 0

        org $403d
royal:  db 1,-1,PITCH,-PITCH
cross:  db PITCH-1,PITCH+1,-PITCH-1,1-PITCH
none:   db END
lines:  db 1,-1,PITCH,-PITCH,END
leaps:  db PITCH+2,PITCH-2,2-PITCH,-2-PITCH
        db 2*PITCH+1,2*PITCH-1,1-2*PITCH,-1-2*PITCH

dfile:  db "\n\n\n\n\n"
        db "8rnbqkbnr\n"
        db "7pppppppp\n"
        db "6        \n"
        db "5        \n"
        db "4        \n"
        db "3        \n"
        db "2PPPPPPPP\n"
        db "1"
squares: db "RNBQKBNR\n"
        db "▒A8CDEFGH\n"
        ds 10,'\n'
cells:  db "    "
        db " "
mark:   db " \n"


; ---------------------------------------------------------------- find
; A = letter, perhaps inverse: HL one past it in the table, Z
find:   and $7f
find2:  push bc
        ld hl,table
        ld bc,13
        cpir
        pop bc
        ret

touch:  exx
        call find2
        jump nz,kept
        dec hl
        ld (hl),l
kept:   exx
        ret
        assert $ == $40da
table:  db a1,e1,h1,a8,e8,h8
letters:db " PNBRQK"
        ds 2
prices: db 1,6,16,17,26,46,0
        db 0
lists:  db low(none),low(royal),low(leaps),low(cross),low(lines),low(royal),low(royal)

; -------------------------------------------------------------- main
main:   ld sp,$4400
        call status
input:  ld hl,cells
        call square
        ld d,a
        call square
        ld e,a
        ld (entry),de
        call play
        jump c,input
        ld a,(hl)
        cp c
        jump z,answer
        ; a promotion: which piece?
ask:    call key
        ld b,a
        exx
        call find
        ld a,l
        exx
        sub low(letters)+3      ; N B R Q are 0 to 3
        cp 4
        jump nc,ask
        ld a,(hl)
        and $80
        or b
        ld (hl),a
answer: call status
think:  call $0f23
        ld bc,(WIDE+DEEP)<<8|DEEP+1
        call root
        call $0f2b
thought:ld hl,(move)
        ld (entry),hl
        call play
        jump main

; -------------------------------------------------------------- square
; HL = cell; A = square
square: ld b,'A'
        call keyb
        ld e,a
        ld b,'1'
        call keyb
        ld b,a
        ld a,e
times:  sub PITCH
        djnz times
        add a,low(a1-'A'+PITCH*'1')
        ret
keyb:   call key
        cp '\n'
        jump z,answer
        sub b
        cp 8
        jump nc,keyb
        add a,b
        ld (hl),a
        inc l
        ret

key:    exx
wait:   ld hl,(LAST_K)
        ld b,h
        ld c,l
        inc l
        jump z,wait
        call DECODE
        jump nc,wait
        ld a,(hl)
        exx
        ret

; ------------------------------------------------------------- status
status: xor a
        ld (entry+1),a
        call play
        jump c,show
        call incheck
        sbc a,a
        and '+'
show:   ld (mark),a
stop:   jump c,stop
        ret

; ------------------------------------------------------------ incheck
incheck:xor a
; ------------------------------------------------------------ descend
descend:ld h,e
        push hl
        push bc
        exx
        push bc
        push de
        ld hl,(side)
        push hl
        ld h,a
        ld a,l
        cpl
        ld l,a
        ld (side),hl
        ld a,d
        cpl
        add a,b
        jump nc,bound
        xor a
bound:  dec a
        ld e,a
        call search
        pop hl
        ld (side),hl
        pop de
        pop bc
        exx
        pop bc
        pop hl
        ld e,h
        ld h,$40
        ld d,h
        cp 1
        ret

; ------------------------------------------------------------- commit
; C = man, DE = from, HL = to, made
commit: pop af
        pop af
        push hl
        ld a,l
        sub e
        ld b,a                  ; way
        ld a,e
        call touch
        ld a,l
        call touch
        ld a,e
        add a,l
        rra
        ld h,a                  ; the middle
        ld a,c
        and $7f
        cp 'P'
        jump nz,nopawn
        ld a,b
        and 3
        jump z,double
nopawn: cp 'K'
        jump nz,plainly
        ld a,b
        inc a
        inc a
        jump z,long
        cp 4
        jump nz,plainly
        inc l
        jump rook
long:   dec l
        dec l
rook:   ld e,h
        ld h,d
        ld (hl),0
        ld a,c
        or 7
        ld (de),a
plainly:ld hl,0
double: ld (dbl),hl
        pop hl
        ld a,(side)
        cpl
        ld (side),a
        or a
        ret


; make
make:   push bc
        exx
        ld h,$40
        ld l,c
        ld a,(hl)
        ld (hl),0
        exx
        ld b,a
        ld a,(de)
        ld c,a
        ld (hl),a
        add a,a
        cp low(2*'P')
        jump nz,made
        ld a,l
        sub a7-1
        cp 6*PITCH
        jump c,made
        inc (hl)
        exx
        ld a,40
        add a,b
        ld b,a
        exx
made:   xor a
        ld (de),a
        ld a,(depth)
        cp WIDE+DEEP
        jump nz,inner
        ld a,c
        and $7f
        sub 'P'
        cp 1
        ld a,r
        rla
        and 3
        exx
        add a,b
        ld b,a
        exx
inner:
        exx
        ld a,b
        add a,126
        cp d
        exx
        ld a,(depth)
        dec a
        jump nc,try
        cp (iy+wide-$4000)
try:    call nc,descend
        push af
        jump c,undo
        ld a,(entry+1)
        or a
        jump nz,commit
undo:   ld (hl),0
        ld a,c
        ld (de),a
        ld a,b
        exx
        ld h,$40
        ld l,c
        ld (hl),a
        exx
        pop af
        pop bc
        jump c,cont
legal:  exx
        cpl
        add a,b
        jump nc,fits
        sbc a,a
fits:   ld c,a
        ld a,d
        cp c
        jump nc,worse
        ld d,c
        ld a,(depth)
        cp WIDE+DEEP
        jump nz,bounds
        exx
        ld h,e
        ld (move),hl
        ld h,d
        exx
bounds: ld a,e
        cp d
        ld a,d
        ret c
worse:  exx
cont:   ld a,(hl)
        or a
        jump nz,turn
        ld a,(de)
        and $7f
        cp 'P'
        jump z,pawn
        cp 'K'
        jump nz,goes
king:   ld a,(bc)
        rra
        jump nc,turn
        rla
        add a,e
        cp l
        jump nz,turn
way:    ld a,(bc)
        add a,l
        ld l,a
        ld a,(hl)
        or a
        jump z,way
        ld a,l
        exx
        call find2
        exx
        jump nz,turn
        ld a,e
        exx
        call find2
        exx
        jump nz,turn
        ld a,(bc)
        add a,e
        ld l,a
        ld a,(de)
        ld (hl),a
        call incheck
        ld (hl),0
        jump nc,slide
        jump turn
pawn:   ld a,(side)
        xor l
        cp a3
        jump nc,slide
        jump turn
far:    ld a,(de)
goes:   and 6
        cp 6
        jump z,slide
turn:   inc c
        ld a,(bc)
        cp END
        jump nz,dir
next:   dec e
        ld a,e
        cp a8-1
        jump nz,from
        exx
        ld a,d
        exx
        or a
        ret nz
        call incheck
        ld a,MATED
        ret c
        ld a,STALE
        scf
        ret

; --------------------------------------------------------------- play
; Plays entry if it is legal: C = man that moved, HL = target; carry if not.
; With no entry: carry if there is no legal move.
play:   ld bc,$0101
root:   ld a,b
        ld (depth),a
        ld a,c
        ld (wide),a
        ld e,255

; -------------------------------------------------------------- search
; E bound
search: ld a,(depth)
        ld d,0
        cp (iy+wide-$4000)
        jump nc,scan
        ld d,128
        or a
        jump z,scan
        ld a,e
        cp d
        ld a,d
        ret c
scan:   exx
        ld de,$4000+h1
from:   ld a,(de)
        or a
        jump z,next
        xor (iy+side-$4000)
        jp m,next
        ld a,(de)
        exx
        call find
        set 4,l
        ld a,(hl)
        exx
        jump nz,next
        ld c,a
        ld b,d
        ld h,d
dir:    ld l,e
slide:  ld a,(bc)
        add a,l
        ld l,a
        ld a,(hl)
        or a
        jump z,free
        xor (iy+side-$4000)
        jp p,turn
free:   ld a,(de)
        and $7f
        cp 'P'
        jump nz,plain
        ld a,(bc)
        xor (iy+side-$4000)
        sub $f4
        cp 4
        jump nc,turn
        ld a,(bc)
        rra
        ld a,(hl)
        jump nc,ahead
        or a
        jump nz,plain
        ld a,(ep)
        cp l
        jump nz,turn
        ld a,(dbl)
        jump takes
ahead:  or a
        jump nz,turn
quiet:  ld a,(depth)
        cp (iy+wide-$4000)
        jump c,far
        ld a,l
        exx
        ld c,a
        ld b,1
        exx
        jump chosen
plain:  ld a,(hl)
        or a
        jump z,quiet
        ld a,l
takes:  exx
        ld c,a
        ld l,a
        ld h,$40
        ld a,(hl)
        call find
        set 3,l
        ld a,(hl)
        ld b,a
        exx
        jump nz,turn
        or a
        ret z                   ; the king is taken
        ld a,(depth)
        or a
        jump z,turn
chosen:
        ld a,(entry+1)
        or a
        jump z,make
        cp e
        jump nz,cont
        ld a,(entry)
        cp l
        jump nz,cont
        jump make


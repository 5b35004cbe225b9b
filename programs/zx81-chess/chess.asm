; Chess with all its moves for the unexpanded ZX81
; ================================================
;
; Castling, en passant, promotion to any of four pieces; only legal moves are taken from
; the player; check, mate and stalemate are told. The computer looks at all its moves and
; all answers, and at captures and recaptures after them. README.md tells how to play.
;
; The layout `sysvar` of the .P writer puts the BASIC line and the code that it starts
; with into the system variables. That code sets D_FILE and jumps to main.
;
; Memory map
;   $4009-$403B  51  system variables; the BASIC line and the start code in them;
;                    four variables of ours where the layout leaves bytes free
;   $403C-$4052  23  wide, and the steps of all men
;   $4053-$40C2 112  display file: the board, what is typed, the mark
;   $40C3-$40D9  23  find, touch
;   $40DA-$40F6  29  what find looks through, prices, where each man's steps begin
;   $40F7-           code
;        -$43FF      stack, from the top; the search takes 16 bytes a ply
;
; The board is the display file, as long as nobody thinks in FAST mode the picture as
; well. A rank is ten bytes: its digit, eight squares, newline. So a file is +1, a rank
; -10, and digit and newline are two bytes between H and A that no knight leaps over.
; A byte is a character: 0 is an empty square, P N B R Q K are White, the same with bit 7
; are Black. Everything else is a border. Ten newlines below the file letters and the
; steps above the display file are the borders that a knight on rank 1 or 8 looks at; the
; letter between A and C is an 8, for a B would be a bishop.
; A1 is at $xx9F and H8 at $xx60, so the complement of a low byte is the same square from
; the other side of the board.
;
; How a position is valued. search gives a byte for the side to move: 128 is even, more is
; better, a pawn is 5. 0 says that the king can be taken, that is, the move that led here
; was not legal: there is no other test for check. MATED and STALE are what the side to
; move has without a legal move. A move that gains g and leads to value s for the other
; side is worth g - s + 256, 255 at most.
;
; Depth counts plies down. At `wide` or above all moves are tried. Below it a side may
; also stay with what it has (128), and tries captures. At 0 nothing is tried, and only
; the taking of a king is seen: with the side changed that is the question for check.
;
; Register plan of the search. Both register sets are used alike: exx changes their roles.
;   the squares' set                        the values' set
;   DE   source square                      D   best value so far, 0: no legal move yet
;   HL   target square                      E   bound: a value above it ends the search
;   BC   present step, C is its low byte    B   gain of the move + 1
;        from make to undo: B the man       C   low byte of the square of the man that
;        taken, C the man that moves            is taken; the target if none is
;                                           HL  for find
; IY is $4000 for the ROM and for us. IX, I, R and AF' are the display's.

LAST_K  equ $4025               ; the key that is down, set by each frame
DECODE  equ $07bd               ; BC as in LAST_K to HL, address of the character;
                                ; carry set if it was one key. A, BC, DE, HL change
FAST    equ $0f23               ; without a picture, four times as fast
SLOW    equ $0f2b               ; with it
SYSTEM  equ $4000               ; what IY points at
        charmap "zx81"          ; small letters are inverse video

PITCH   equ 10                  ; bytes from one rank to the next
END     equ '\n'                ; ends a list of steps: no step is $76
WIDE    equ 2                   ; plies with all moves
DEEP    equ 2                   ; plies with captures after them
MATED   equ '*'                 ; values that are characters: they become the mark
STALE   equ $80+'S'             ; so high that no gain makes it good to stalemate

; Low bytes of squares
a1      equ low(squares)
a8      equ a1-7*PITCH
h1      equ a1+7
h8      equ a8+7
e1      equ a1+4
e8      equ a8+4
a3      equ a1-2*PITCH
a7      equ a1-6*PITCH

; Free bytes among the system variables
        org $4018
side:   db 0                    ; 0 when White is to move, $FF when Black is
depth:  db 0                    ; plies to go; fetched and stored together with side
        org $4032
dbl:    db 0                    ; square of a pawn that has just gone two ranks, or 0
ep:     db 0                    ; the square that it passed

        region chess, start=$403c, size=$4400-$403c

; ------------------------------------------------------------------------- steps
; The king's list is the queen's and, as far as its rules let it, the pawn's; its second
; half the bishop's. The first newline of the display file ends the knight's.

        section steps in chess
        budget steps <= 23

wide:   db 0                    ; the least depth at which all moves are tried
royal:  db 1,-1,PITCH,-PITCH
cross:  db PITCH-1,PITCH+1,-PITCH-1,1-PITCH,END
lines:  db 1,-1,PITCH,-PITCH,END
leaps:  db PITCH+2,PITCH-2,2-PITCH,-2-PITCH
        db 2*PITCH+1,2*PITCH-1,1-2*PITCH,-1-2*PITCH

; ----------------------------------------------------------------- display file

        section board in chess
        budget board <= 112

dfile:  db "\n\n\n\n\n"
        db "8rnbqkbnr\n"
        db "7pppppppp\n"
        db "6        \n"
        db "5        \n"
        db "4        \n"
        db "3        \n"
        db "2PPPPPPPP\n"
        db "1"
squares:db "RNBQKBNR\n"
        db "▒A8CDEFGH\n"
        ds 10,'\n'
cells:  db "     "              ; the four keys of a move
mark:   db " \n"                ; + check, * mate, inverse S stalemate

        assert low(squares) == $9f, "h8 has to be the complement of a1"
        assert high(royal) == high(squares), "one page for squares and steps"

; -------------------------------------------------------------------------- find
; Looks for a man, or with find2 for a square of the castling list.
;   in   A = character, of either colour; find2: low byte of a square
;   out  zero set if it was found, HL = one past its place in table
;   uses A
;   13 bytes; 67 T-states and 21 for each place looked at

        section lookup in chess
        budget lookup <= 23

find:   and $7f
find2:  push bc
        ld hl,table
        ld bc,12
        cpir
        pop bc
        ret

; ------------------------------------------------------------------------- touch
; A man has left a square or come to one: who castles there has moved.
;   in   A = low byte of the square
;   uses the other set's HL, flags
;   10 bytes; 360 to 380 T-states

touch:  exx
        call find2
        jump nz,untold
        dec hl
        ld (hl),l               ; its own address is no square
untold: exx
        ret

; ------------------------------------------------------------------------ tables
; Places differ in one bit: find leaves 1 to 6 in the low bits of L, bit 3 leads to the
; price and bit 4 to the steps.

        section tables in chess
        budget tables <= 29

table:  db a1,e1,h1,a8,e8,h8    ; kings and rooks that have not moved stand here
letters:db "PNBRQK"
entry:  dw 0                    ; the move to be played: target, source; source 0: any
        ds 1                    ; the one byte that nobody has
prices: db 6,16,17,26,46,0      ; + 1; the king's is the answer 0
move:   dw 0                    ; the best move: target, source
lists:  db low(royal),low(leaps),low(cross),low(lines),low(royal),low(royal)

        assert (low(letters) & $1f) == 0, "find counts from a multiple of 32"
        assert prices == letters + 9 && lists == letters + 17, "one bit away"

; ------------------------------------------------------------------------ status
; Marks check, mate or stalemate. With no legal move it is the end.
;   out  the mark; returns if the side to move has a move
;   uses all
;   21 bytes; 0.03 to 0.1 s in FAST mode, four times that in SLOW

        section game in chess
        budget game <= 268

status: xor a
        ld (entry+1),a
        call play
        jump c,show             ; A = MATED or STALE
        call incheck
        sbc a,a                 ; carry, which is check, to $FF and then to +
        and '+'
show:   ld (mark),a
stop:   jump c,stop
        ret

; -------------------------------------------------------------------------- main
; The player's move, then the computer's, for ever. NEWLINE instead of a move gives the
; side to move to the computer, so the player may have either.
;   in   nothing; never returns
;   77 bytes

main:   ld sp,$4400
        call status
input:  ld hl,cells
        call square
        ld d,a
        call square
        ld e,a
        ld (entry),de
        call play
        jump c,input            ; not legal: type another
        ld a,(hl)
        cp c
        jump z,answer
ask:    call key                ; the pawn has become a queen: which piece shall it be?
        ld b,a
        exx
        call find
        ld a,l
        exx
        sub low(letters)+2      ; 0 to 3 are N B R Q
        cp 4
        jump nc,ask
        ld a,(hl)
        and $80
        or b
        ld (hl),a
answer: call status
think:  call FAST
        ld bc,(WIDE+DEEP)<<8|DEEP+1
        call root
        call SLOW
thought:ld hl,(move)
        ld (entry),hl
        call play
        jump main

; ------------------------------------------------------------------------ square
; Waits for a letter A to H and a digit 1 to 8, shows them, finds the square. Other keys
; are passed over. A held key does no harm: a letter is never wanted after a letter.
;   in   HL = where to show them
;   out  A = low byte of the square, HL two further
;   uses B, E and the other set; NEWLINE leads to answer, and main mends the stack
;   36 bytes; 700 to 880 T-states after the second key

square: ld b,'A'
        call keyb
        ld e,a
        ld b,'1'
        call keyb
        ld b,a
        ld a,e
times:  sub PITCH               ; the digit's code times, 29 to 36: the constant makes up
        djnz times
        add a,low(a1-'A'+PITCH*'1')
        ret

; keyb: waits for a key from B to B+7
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

; --------------------------------------------------------------------------- key
; Waits for a key.
;   out  A = its character
;   uses the other set
;   17 bytes

key:    exx
wait:   ld hl,(LAST_K)
        ld b,h
        ld c,l
        inc l
        jump z,wait             ; no key: DECODE would never come back
        call DECODE
        jump nc,wait            ; more than one
        ld a,(hl)
        exx
        ret

; ---------------------------------------------------------------------- incheck
; Asks whether the side to move is in check: could the other side take the king?
;   out  carry set if so
;   uses A and the values' HL
;   1 byte and descend

incheck:xor a

; ----------------------------------------------------------------------- descend
; Values the position for the other side.
;   in   A = depth; B and D of the values: gain + 1 and best
;   out  A = value, carry set if it is 0
;   uses the values' HL; 10 bytes of stack besides what search takes
;   44 bytes; 261 T-states and search

descend:ld h,e                  ; both pages are known
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
; The move is worth more than best only if the other side has less than gain - best:
; its search may end at the first value above gain - best - 1. $FF: no bound.
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
        ld h,high(squares)
        ld d,h
        cp 1
        ret

; ------------------------------------------------------------------------ commit
; The move of entry is legal and stays on the board. The rook follows its king, rights
; and en passant are noted, the other side is to move. Reached from the search, whose
; frame is dropped: the return is play's.
;   in   C = man that moved, DE = source, HL = target; two words on the stack
;   out  HL = target, C = the man as it was, carry clear
;   uses A, B, DE and the other HL
;   72 bytes; 800 to 1,100 T-states

commit: pop af
        pop af
        push hl
        ld a,l
        sub e
        ld b,a                  ; how far it went
        ld a,e
        call touch
        ld a,l
        call touch
        ld a,e
        add a,l
        rra                     ; carry and all: the square in the middle
        ld h,a
        ld a,c
        and $7f
        cp 'P'
        jump nz,nopawn
        ld a,b
        and 3                   ; 20 and -20, but not 9, 10 or 11
        jump z,double           ; L = dbl, H = ep
nopawn: cp 'K'                  ; no pawn's rest of 4 is that
        jump nz,noking
        ld a,b
        inc a
        inc a
        jump z,long             ; went -2
        cp 4
        jump nz,noking
        inc l                   ; went 2: the rook is right of it
        jump rook
long:   dec l                   ; two to the left
        dec l
rook:   ld e,h
        ld h,d
        ld (hl),0
        ld a,c
        or 7                    ; K and 7 is R, in the same colour
        ld (de),a
noking: ld hl,0
double: ld (dbl),hl
        pop hl
        ld a,(side)
        cpl
        ld (side),a
        or a
        ret

        assert 'K' | 7 == 'R', "the rook's colour comes from the king"

; -------------------------------------------------------------------------- make
; The second half of the search stands in front of the first, so that more jumps reach.
; A move is to be tried.
;   in   DE = source, HL = target, the values' B and C; H of the values is free
;   out  falls into legal, or goes to cont or commit
;   make to undo 103 bytes; 390 T-states and descend

        section search in chess
        budget search <= 423

make:   push bc
        exx
        ld h,high(squares)
        ld l,c
        ld a,(hl)
        ld (hl),0               ; first the victim, who in passing is not on the target
        exx
        ld b,a
        ld a,(de)
        ld c,a
        ld (hl),a
        add a,a                 ; without the colour
        cp low(2*'P')
        jump nz,made
        ld a,l
        sub a7-1
        cp 6*PITCH
        jump c,made             ; ranks 7 to 2
        inc (hl)                ; Q comes after P
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
; The computer's own move: 1 more for a pawn's, and by chance up to 3 more for all.
; So men come forward, pawns to the last rank, and games differ and do not go in circles.
        ld a,c
        and $7f
        sub 'P'
        cp 1                    ; carry: a pawn
        exx
        ld a,b
        adc a,0
        ld b,a
        ld a,r
        and 3
        add a,b
        ld b,a
        exx
; If the other side may stay with what it has, the move is worth 128 + gain at most.
; Is that not above best, it need not be looked at.
inner:  exx
        ld a,b
        add a,126
        cp d
        exx
        ld a,(depth)
        dec a                   ; carry stays
        jump nc,try
        cp (iy+wide-SYSTEM)     ; carry: the other side may stay
try:    call nc,descend
        push af                 ; carry: not legal, or poor
        jump c,undo
        ld a,(entry+1)
        or a
        jump nz,commit
undo:   ld (hl),0
        ld a,c
        ld (de),a
        ld a,b
        exx
        ld h,high(squares)
        ld l,c
        ld (hl),a               ; in a capture this is the target
        exx
        pop af
        pop bc
        jump c,cont

; ------------------------------------------------------------------------- legal
; A legal move was tried.
;   in   A = value for the other side
;   out  falls into cont, or ends the search with A = value
;   31 bytes; 60 to 130 T-states

legal:  exx
        cpl
        add a,b                 ; gain + 1 + 255 - value
        jump nc,fits
        sbc a,a                 ; more than 255 is 255
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
        ret c                   ; good enough
worse:  exx

; -------------------------------------------------------------------------- cont
; Goes the same man on in the same direction?
;   in   DE = source, HL = target, BC = step
;   out  to slide or turn
;   105 bytes; 65 to 130 T-states, with castling to be asked for 1,500 and incheck

cont:   ld a,(hl)
        or a
        jump nz,turn            ; it was a capture
        ld a,(de)
        and $7f
        cp 'P'
        jump z,pawn
        cp 'K'
        jump nz,goes
; Castling goes on where the king's step to the side was tried.
        ld a,(bc)
        rra
        jump nc,turn            ; 10: E1 to E8 is no castling
        rla
        add a,e
        cp l
        jump nz,turn            ; the second step: he has castled
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
        jump nz,turn            ; it ends at no rook that has not moved
        ld a,e
        exx
        call find2
        exx
        jump nz,turn            ; the king has moved
        ld a,(bc)
        add a,e
        ld l,a
        ld a,(de)
        ld (hl),a               ; a king on both squares, and one question for check
        call incheck
        ld (hl),0
        jump nc,slide
        jump turn
pawn:   ld a,(side)             ; from its first rank it goes on
        xor l
        cp a3
        jump nc,slide
        jump turn
far:    ld a,(de)
goes:   and 6                   ; B, R and Q have both bits, K and N not
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
; No legal move. incheck is asked with depth 0 and does not come here.
        call incheck
        ld a,MATED
        ret c
        ld a,STALE
        scf
        ret

; -------------------------------------------------------------------------- play
; Plays the move of entry if it is legal. With entry 0 it asks for any legal move.
;   out  as commit; or carry set, A = MATED or STALE: no such move;
;        with entry 0 carry clear if there is one
;   uses all
;   3 bytes

play:   ld bc,$0101

; -------------------------------------------------------------------------- root
; search with depth B and wide C and no bound.
;   10 bytes

root:   ld a,b
        ld (depth),a
        ld a,c
        ld (wide),a
        ld e,$ff

; ------------------------------------------------------------------------ search
; Values the position for the side to move.
;   in   E = bound
;   out  A = value: 0 the king can be taken; carry set: no legal move (root and play)
;   uses all
;   19 bytes

search: ld a,(depth)
        ld d,0
        cp (iy+wide-SYSTEM)
        jump nc,scan
        ld d,128                ; may stay with what it has
        or a
        jump z,scan             ; at depth 0 each king must be seen
        ld a,e
        cp d
        ld a,d
        ret c                   ; and that is enough

; -------------------------------------------------------------------------- scan
; All men of the side from H1 back to A8, all their directions and squares.
;   152 bytes; 120 to 300 T-states for each square that is looked at

scan:   exx
        ld de,squares+7
from:   ld a,(de)
        or a
        jump z,next
        xor (iy+side-SYSTEM)
        jp m,next               ; the other side's
        ld a,(de)
        exx
        call find
        set 4,l
        ld a,(hl)
        exx
        jump nz,next            ; White's side has digits and newlines
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
        xor (iy+side-SYSTEM)
        jp p,turn               ; a man of its own, or White's border
free:   ld a,(de)
        and $7f
        cp 'P'
        jump nz,plain
        ld a,(bc)
        xor (iy+side-SYSTEM)
        sub $f4                 ; forward steps are $F5 to $F7, for Black $F4 to $F6
        cp 4
        jump nc,turn
        ld a,(bc)
        rra                     ; 9 and 11 are odd
        ld a,(hl)
        jump nc,ahead
        or a
        jump nz,plain           ; takes
        ld a,(ep)
        cp l
        jump nz,turn
        ld a,(dbl)
        jump takes
ahead:  or a
        jump nz,turn
quiet:  ld a,(depth)
        cp (iy+wide-SYSTEM)
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
        ld h,high(squares)
        ld a,(hl)
        call find
        set 3,l
        ld a,(hl)
        ld b,a
        exx
        jump nz,turn            ; Black's border
        or a
        ret z                   ; the king
        ld a,(depth)
        or a
        jump z,turn
; When a move is to be played it is the only one.
chosen: ld a,(entry+1)
        or a
        jump z,make
        cp e
        jump nz,cont
        ld a,(entry)
        cp l
        jump nz,cont
        jump make

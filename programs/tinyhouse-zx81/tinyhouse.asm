; Tinyhouse for the unexpanded ZX81
; =================================
;
; Chess on four by four squares where what is taken may be dropped again. All moves, all
; drops, promotion with choice; only legal moves are taken from the player; check, mate
; and stalemate are told. The computer looks as far as a number of positions allows.
; README.md tells the rules and how to play.
;
; The layout `sysvar` of the .P writer puts the BASIC line and the code that it starts
; with into the system variables. That code sets D_FILE and jumps to main.
;
; Memory map
;   $4009-$403B  51  system variables; the BASIC line and the start code in them; side and
;                    depth where the layout leaves bytes free
;   $403C-$4053  24  rank, commit
;   $4054-$409B  72  display file: both hands, the board, what is typed, the mark
;   $409C-$40AF  20  aim, keyb
;   $40B0-$40FF  80  steps, prices and lists, hand, three moves: the tables stand where
;                    characters and one another lead to by a few bits
;   $4100-           the other code
;        -$43FF      stack, from the top; the search takes 14 bytes a ply and looks
;                    whether they are there
;
; The board is the display file. A rank is six bytes: its digit, four squares, newline.
; So a file is +1, a rank -6; digit and newline are the border at both sides. A4 is at
; $xx75 and D1 at $xx8A: the complement of a low byte is the same square from the other
; side of the board. A byte is a character: 0 is an empty square; P W F M K are White, the
; same with bit 7 are Black. A former pawn is one letter off: X W, E F, N M, which is the
; lowest bit. The hands are a line of letters with a digit behind each, White's first. No
; space is above the board: a drop goes on from its digit to each empty byte behind it.
;
; How a position is valued. search gives a byte for the side to move: 128 is as at the
; root, more is better, a pawn is 3, wazir 9, ferz and Ma 6, on the board and in hand. The
; complement of a value is the same for the other side. 255 says that the king can be
; taken, that is, the move that led here was not legal: there is no other test for check.
; 32 less the plies to go is mate, its complement stalemate, for which the rules give the
; game to who cannot move. All pieces together are worth 96, so 224 is never passed.
;
; Depth counts plies down. Above QUIET all moves are tried. From there on a side may also
; stay with what it has, and tries captures. At 0 nothing is tried, and only the taking of
; a king is seen: with the side changed that is the question for check.
;
; Register plan of the search. exx changes between
;   the squares' set                        the values' set
;   D    side: 0 White, $FF Black           D   least value that a move gave the other
;   E    source square, or a hand's digit       side, 255 for no legal move yet
;   H    page of the squares                E   bound: a value as high ends the search
;   L    target square                      B   what the position is worth as it stands
;   C    low byte of the present step       C   depth
;   B    man taken, while a move is tried   HL  free
; AF' brings the gain of a move to the values. IX counts positions.
; All this is so in FAST mode only, where the display does not use AF' and IX.
;
; Inside a move that is tried, from make to undo: B source, C target, D side, E the man or
; digit as it stood on the source; the man taken and the step are on the stack.

LAST_K  equ $4025               ; the key that is down, set by each frame
DECODE  equ $07bd               ; BC as in LAST_K to HL, address of the character;
                                ; carry set if it was one key. A, BC, DE, HL change
FAST    equ $0f23               ; without a picture, four times as fast
SLOW    equ $0f2b               ; with it
        charmap "zx81"          ; small letters are inverse video

PITCH   equ 6                   ; bytes from one rank to the next
END     equ '\n'                ; ends a list of steps: no step is $76
QUIET   equ 2                   ; plies with captures only
SOFT    equ 10                  ; times 256 positions: no deeper search is begun
HARD    equ 120                 ; times 256 positions: the search is given up
DEEPEST equ 12                  ; plies with all moves
ROOT    equ $43fc               ; stack pointer while a move of the root is tried
RESERVE equ 18                  ; bytes that the last ply and what it calls may take
MENBASE equ $ec                 ; what is added to a letter leads to lists
FIRST   equ $2a                 ; the first letter of a man, E
WHITE0  equ '0'
BLACK0  equ '0'+$80

        org $4018
side:   db 0                    ; 0 when White is to move, $FF when Black is
depth:  db 0                    ; plies with all moves in the present search

        region tiny, start=$403c, size=$4400-$403c

        section helpers in tiny
        budget helpers <= 24

; -------------------------------------------------------------------------- rank
; Waits for a digit 1 to 4, shows it, finds the square.
;   in   A = letter of the file, HL = where to show the digit
;   out  A = low byte of the square, HL one further
;   uses B, E, the other set
;   15 bytes

rank:   ld e,a
        ld b,'1'
        call keyb
        ld b,a
        ld a,e
times:  sub PITCH               ; the digit's code times, 29 to 32: the constant makes up
        djnz times
        add a,low(a1-'A'+PITCH*'1')
        ret

; ------------------------------------------------------------------------ commit
; The move of entry is legal and stays on the board. Reached from the search, in the middle
; of the try.
;   in   D = side, two words on the stack: of the try, and the return of play
;   out  C = target, E = man or digit that moved, carry clear
;   uses A, flags
;   8 bytes

commit: pop af
        ld a,d
        cpl
        ld (side),a
        or a
        ret

        ds $4054-$

; ----------------------------------------------------------------- display file

        section board in tiny
        budget board <= 72

dfile:  db "\n\n\n\n\n"
hands:  db "W0F0M0P0w",BLACK0,"f",BLACK0,"m",BLACK0,"p",BLACK0,"\n"
        db "\n\n\n\n\n\n\n\n\n\n"
four:   db "4fmwk\n"
three:  db "3   p\n"
        db "2P   \n"
        db "1"
a1:     db "KWMF"
beyond: db "\n"
        db "▒ABCD\n"
        db "\n"
cells:  db "     "              ; the keys of a move
mark:   db " \n\n\n"          ; + check, * mate, inverse S stalemate

        assert low(four)+1 == $75, "d1 has to be the complement of a4"
        assert (low(hands)+7 & 7) == 0, "a pawn's digit is known by three bits"

        section corner in tiny
        budget corner <= 20

; --------------------------------------------------------------------------- aim
; Takes a step from the source, which for Black goes the other way.
;   in   D = side, E = source, HL = address of the step
;   out  HL = target, A = what stands there, zero set if nothing
;   8 bytes; 50 T-states

aim:    ld a,e
        xor d
        add a,(hl)
        xor d
        ld l,a
        ld a,(hl)
        or a
        ret

; -------------------------------------------------------------------------- keyb
; Waits for one of four keys and shows it.
;   in   B = the first of them, HL = where to show it
;   out  A = its character, HL one further
;   uses the other set
;   12 bytes

keyb:   call key
        sub b
        cp 4
        jump nc,keyb
        add a,b
        ld (hl),a
        inc l
        ret

        ds $40b0-$

; ------------------------------------------------------------------------ tables
; A Ma's leaps: two for each step of `lines`, which has to be free. Half the address of a
; leap, with bit 7, is that of its first step.

        section tables in tiny
        budget tables <= 80

leaps:  db PITCH-PITCH+8,-4,4,-8,13,11,-13,-11,END

; hand: finds the digit of a man taken in the hand of the side that took it. What is no
; letter of a hand was a pawn once: cpir ends at the pawn's digit in any case.
;   in   B = man taken, D = side, H = page
;   out  HL = digit, zero set if the man's letter was found or is P
;   uses A
;   17 bytes; 140 to 240 T-states

hand:   ld a,d
        and 8
        add a,low(hands)
        ld l,a
        ld a,b
        xor $80
        push bc
        ld bc,7
        cpir
        pop bc
        ret
        ds $40cc-$

; Two tables for men: each letter, with $C2 added, leads to the low byte of its list; $20
; before that is the gain of taking it, of the king the answer 255. Other data stand
; where no letter leads.

prices: db 9,12                 ; E F
last:   dw 0                    ; the computer's move before: target, source
        ds 2
        db 255,0                ; K
        db 12,9                 ; M N
        db 0,6                  ; P
lines:  db 1,-1,PITCH,-PITCH,END
        db 0
        db 18,12                ; W X
royal:  db 1,-1,PITCH,-PITCH
cross:  db PITCH+1,PITCH-1,1-PITCH,-1-PITCH,END
        ds 3
lists:  db low(cross),low(cross)
pawn:   db -PITCH,1-PITCH,-1-PITCH,END ; the first only ahead, the others only to take
        db low(royal),0
        db low(leaps),low(leaps)
        db 0,low(pawn)
entry:  dw 0                    ; the move to be played: target, source; source 0: any
move:   dw 0                    ; the best move of the present search
best:   dw 0                    ; and of the last one that came to its end
        db low(lines),low(lines)

        assert low(lists) == low('E'+$c2) && low(prices) == low(lists)-$20
        assert (low(leaps)>>1|$80) == low(lines), "half a leap's address"
        assert low(leaps) == $b0 && high(royal) == high(a1), "one page"

; ------------------------------------------------------------------------ status
; Marks check, mate or stalemate. With no legal move it is the end.
;   out  the mark; returns if the side to move has a move
;   uses all
;   44 bytes

        section game in tiny

status: xor a
        ld (entry+1),a
        call play
        jump c,ended
        ld d,255                ; nothing is to be cut off
        exx
        ld a,(side)
        ld d,a
        call incheck
        inc a
        ld a,'+'
        jump z,show
        xor a
show:   ld (mark),a
        ret
ended:  add a,a                 ; stalemate is above 128
        ld a,'*'
        jump nc,final
        ld a,$80+'S'
final:  ld (mark),a
        call SLOW
stop:   jump stop

; -------------------------------------------------------------------------- main
; The player's move, then the computer's, for ever. NEWLINE instead of a move gives the
; side to move to the computer, so the player may have either.
;   in   nothing; never returns
;   114 bytes

main:   ld sp,$4400
        call FAST
        call status
input:  ld hl,cells
again:  call key
        cp '\n'
        jump z,think
        ld (hl),a
        ld b,'A'
        sub b
        cp 4
        jump nc,piece
        inc l
        add a,b
        call rank
        jump target
piece:  add a,a
        jump c,again            ; before A: hand would take a digit for a letter
        ld a,(side)
        ld d,a
        cpl
        and $80
        xor (hl)                ; as if it had been taken from the other side
        ld b,a
        push hl
        call hand
        ld a,l
        pop hl
        jump nz,again
        inc l
        ld (hl),'-'
        inc l
target: ld d,a
        ld b,'A'
        call keyb
        call rank
        ld e,a
        ld (entry),de
        call play
        jump c,input            ; not legal: type another
        ld hl,cells+4
        ld b,high(a1)
        ld a,(bc)
        xor e
        cp 'P'^'X'
        jump nz,answer
ask:    call key                ; the pawn has become a wazir: which piece shall it be?
        ld (hl),a
        cp 'W'
        jump z,chosen
        cp 'F'
        jump z,chosen
        cp 'M'
        jump nz,ask
chosen: ld a,e
        and $80
        or (hl)
        xor 1                   ; a former pawn
        ld (bc),a
answer: call status

; ------------------------------------------------------------------------- think
; The computer's move: one ply of all moves, then two, and so on. What the last search
; that came to its end found best is played.
;   in   side; IX = positions so far; goes to main
;   uses all
;   60 bytes; 9 s on the average, at most a minute

think:  ld hl,(best)
        ld (last),hl
        xor a
        ld (depth),a
        ld (entry+1),a
deeper: ld a,(depth)
        inc a
        ld (depth),a
        add a,QUIET
        call root
        ld a,ixh
        cp HARD
        jump nc,enough
        ld hl,(move)
        ld (best),hl
        cp SOFT
        jump nc,enough
        ld a,(depth)
        cp DEEPEST
        jump c,deeper
enough: ld hl,(best)
        ld (entry),hl
        call play
        jump main

; --------------------------------------------------------------------------- key
; Waits for a key, with a picture.
;   out  A = its character, for H that of M
;   uses the other set, AF'
;   28 bytes

key:    exx
        call SLOW
wait:   ld hl,(LAST_K)
        ld b,h
        ld c,l
        inc l
        jump z,wait             ; no key: DECODE would never come back
        call DECODE
        jump nc,wait            ; more than one
        ld a,(hl)
        call FAST
        exx
        cp 'H'
        ret nz
        ld a,'M'
        ret

; -------------------------------------------------------------------------- play
; Plays the move of entry if it is legal. With entry 0 it asks for any legal move.
;   out  as commit; or carry set, A = value of mate or stalemate: no such move;
;        with entry 0 carry clear if there is one
;   uses all
;   6 bytes, and root's

        section searching in tiny

play:   ld ix,0
        ld a,QUIET+1

; root: search with depth A, from the position and side that there are, and no bound.
;   11 bytes

root:   ld c,a
        ld b,128
        ld e,255
        exx
        ld a,(side)
        ld d,a
        exx

; ------------------------------------------------------------------------ search
; Values the position for the side to move.
;   in   values: B, C, E; squares: D
;   out  A = value: 255 the king can be taken, or too many positions; carry set: no legal
;        move
;   uses all; either set may be the one in use after it
;   33 bytes, then scan to done; 4,400 T-states a position on the average

search: inc ix
        ld a,ixh
        cp HARD
        ld a,255                ; as an illegal move nobody plays it
        ret nc
        ld hl,-low_water
        add hl,sp
        jump c,room
        ld c,0                  ; no room for another ply
room:   ld d,a                  ; (255)
        ld a,c
        cp QUIET+1
        jump nc,scan
; May stay with what it has. By chance that is 1 more: where there are many moves the best
; of them is more often lucky, and games differ.
        ld a,r
        rra
        and 1
lot:    add a,b
        cp e
        ret nc
        cpl
        ld d,a

; -------------------------------------------------------------------------- scan
; All squares from D1 back to A4, then the hands. Part of search, which goes on from here.
;   181 bytes

scan:   exx
        ld h,high(a1)
        ld e,low(beyond)
next:   dec e
        ld l,e
        ld a,e
        cp low(four)
        jump c,cell
        ld a,d
        and $80
        xor (hl)
        add a,low(MENBASE-FIRST)
        cp MENBASE
        jump c,next             ; empty, the other side's, a border
        ld l,a
        ld c,(hl)
dir:    ld l,c
        ld a,(hl)
        cp END
        jump z,next
        bit 6,c
        jump nz,step
        scf                     ; the Ma's first step
        rr l
        call aim
        jump nz,turn
        ld l,c
step:   call aim
        jump nz,taken
        ld a,c
        cp low(pawn)+1
        jump nc,turn            ; pawns do not go there
        exx
        ld a,c
        exx
        cp QUIET+1
        jump c,turn
        jump drop
taken:  ld a,c
        cp low(pawn)
        jump z,turn             ; pawns do not take there
        ld a,d
        cpl
        and $80
        xor (hl)
        add a,low(MENBASE-FIRST)
        cp MENBASE
        jump c,turn             ; its own side's or a border
        push hl
        and $df                 ; from lists to prices
        ld l,a
        ld a,(hl)
        pop hl
        cp 255
        ret z                   ; the king
        ld b,a
        exx
        ld a,c
        exx
        or a
        jump z,turn
        ld a,b
        jump try

; Is it a digit of the side's hand, 1 or more? Then it may go to all empty squares.
cell:   cp low(hands)
        jump c,done
        exx
        ld a,c
        exx
        cp QUIET+1
        jump c,done
        ld a,d
        and $80
        xor (hl)
        sub '1'
        cp 2
        jump nc,next
slide:  inc l
        ld a,l
        cp low(beyond)
        jump z,next
        ld a,(hl)
        or a
        jump nz,slide
        ld a,e
        and 7
        jump nz,drop
        ld a,l
        xor d
        sub low(three)
rule:   cp 2*PITCH              ; 3*PITCH: only the last rank is barred
        jump nc,slide
drop:   xor a                   ; nothing is gained

; When a move is to be played it is the only one. The way back of what the computer played
; last gains one less: without that it would repeat itself where it knows nothing better.
;   in   A = gain
try:    ex af,af'
        ld a,(last)
        cp e
        jump nz,onward
        ld a,(last+1)
        cp l
        jump nz,onward
        ex af,af'
        dec a
        ex af,af'
onward: ld a,(entry+1)
        or a
        jump z,make
        cp e
        jump nz,cont
        ld a,(entry)
        cp l
        jump nz,cont

; -------------------------------------------------------------------------- make
; Tries a move.
;   in   D = side, E = source, HL = target, C = step, AF' = gain
;   out  goes to cont, or ends the search
;   111 bytes to done

make:   ld b,(hl)
        push bc
        ld c,l
        inc b
        dec b
        call nz,hand
        inc (hl)                ; a hand's digit; without a capture the target, for nothing
        ld b,e
        ld l,e
        ld e,(hl)
        ld a,l
        cp low(four)
        jump nc,men
        dec (hl)                ; one less in hand
        dec l
        ld a,(hl)               ; its letter
        jump placed
men:    ld (hl),0
        ld a,c
        xor d
        cp low(three)
        ld a,e
        jump nc,placed          ; not the last rank
        and $7f
        cp 'P'
        ld a,e
        jump nz,placed
        ex af,af'
        add a,6
        ex af,af'
        or 'P'^'X'
placed: ld l,c
        ld (hl),a
        exx
        ld a,c
        exx
        dec a
        call descend
tried:  exx
        cp d
        jump nc,poor            ; 255, not legal, is never less
        ld d,a
        exx
        ld hl,-ROOT
        add hl,sp
        jump nc,undo            ; not the root
        ld (move),bc
        ld a,(entry+1)
        or a
        jump nz,commit
        jump undo
poor:   exx
undo:   ld h,high(a1)
        ld l,b
        ld (hl),e
        ld e,b
        ld l,c
        pop bc
        push hl
        inc b
        dec b
        call nz,hand
        dec (hl)
        pop hl
        ld (hl),b
        exx
        ld a,d
        cpl
        cp e
        ret nc                  ; good enough
        exx
cont:   ld a,e
        cp low(four)
        jump c,slide
turn:   inc c
        jump dir

; done: all moves were tried. What that is worth; 20 bytes.
done:   exx
        ld a,d
        cpl
        or a
        ret nz
        exx
        call incheck
        exx
        add a,1
        sbc a,a                 ; $FF in check, else 0
        ld h,a
        ld a,c
        sub 33                  ; complement of 32 - C
        xor h
        scf
        ret

; ----------------------------------------------------------------------- incheck
; Asks whether the side to move is in check: could the other side take the king?
;   in   as descend; D of the values 255
;   out  A = 255 if so
;   3 bytes, and descend

incheck:xor a
        ex af,af'
        xor a

; ----------------------------------------------------------------------- descend
; Values the position for the other side.
;   in   squares in use; A = its depth, AF' = gain of the move; B and D of the values
;   out  A = value, both sets but for HL as they were
;   25 bytes; 12 bytes of stack besides what search takes

descend:push bc
        push de
        exx
        push bc
        push de
        ld c,a
        ld e,d
        ex af,af'
        add a,b
        cpl
        ld b,a
        exx
        ld a,d
        cpl
        ld d,a
        exx
        call search
        pop de
        pop bc
        exx
        pop de
        pop bc
        ret

end_of_program:
low_water equ end_of_program+RESERVE

        assert 'P'|8 == 'X', "promotion sets a bit"

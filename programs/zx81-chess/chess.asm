; Chess with all its moves for the unexpanded ZX81
; ================================================
;
; Castling, en passant, promotion to any of four pieces; only legal moves are taken from
; the player; check, mate, stalemate and fifty moves are told. The computer looks at all
; its moves and all answers, and at captures and recaptures after them, until time is up.
; README.md tells how to play.
;
; With HORNE defined it is the game by the rules of David Horne's 1K ZX Chess of 1982: all
; moves of the men, the double step, and only legal moves, but no castling, en passant,
; promotion and fifty moves.
;
; The layout `sysvar` of the .P writer puts the BASIC line and the code that it starts
; with into the system variables. That code sets D_FILE and jumps to main.
;
; Memory map
;   $4009-$403B  51  system variables; the BASIC line and the start code in them;
;                    six variables of ours where the layout leaves bytes free
;   $403C-$4052  23  the steps of all men
;   $4053-$40C1 111  display file: the board, what is typed, the mark
;   $40C2-$40D9  24  find, touch
;   $40DA-$40F6  29  what find looks through, prices, where each man's steps begin
;   $40F7-           code
;        -$440B      stack, from the top; the search takes 16 bytes a ply
; The 1K repeats above $43FF, so the top of the stack is $4000 to $400B, variables that
; only BASIC and LOAD need. D_FILE at $400C is the first that the picture needs.
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
; Depth counts plies down from WIDE+DEEP. Above DEEP all moves are tried. From DEEP on a
; side may also stay with what it has (128), and tries captures. At 0 nothing is tried,
; and only the taking of a king is seen: with the side changed that is the question for
; check. The player's move and the question for any legal move begin at DEEP+1.
;
; Register plan of the search. Both register sets are used alike: exx changes their roles.
;   the squares' set                        the values' set
;   DE   source square                      D   best value so far, 0: no legal move yet
;   HL   target square                      E   bound: a value above it ends the search
;   BC   present step, C is its low byte    B   gain of the move + 1
;        from make to undo: B the man       C   low byte of the square of the man that
;        taken, C the man that moves            is taken; the target if none is
;                                           HL  for find; H stays at the page
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
LATE    equ $4c                 ; the high byte of nodes at which time is up
MATED   equ '*'                 ; values that are characters: they become the mark
STALE   equ $80+'S'             ; so high that no gain makes it good to stalemate
DRAWN   equ '='                 ; the mark after fifty moves

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
        org $401f
nodes:  dw 0                    ; from $40xx up: positions valued since the computer thinks

        ifndef HORNE
        org $4032
fifty:  db 0                    ; plies since a pawn has moved or a man was taken
ep:     db 0                    ; the square that a pawn has just passed, or 0
        endif

        region chess, start=$403c, size=$4400-$403c

; ------------------------------------------------------------------------- steps
; The king's list is the queen's and, as far as its rules let it, the pawn's; its second
; half the bishop's. The first newline of the display file ends the knight's.

        section steps in chess
        budget steps <= 23

steps:  ds 1                    ; nobody's
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
cells:  db "    "               ; the four keys of a move
mark:   db " \n"                ; + check, * mate, inverse S stalemate, = fifty moves

        assert low(squares) == $9f, "h8 has to be the complement of a1"
        assert high(royal) == high(squares), "one page for squares and steps"

; -------------------------------------------------------------------------- find
; Looks for a man, or with find2 for a square of the castling list.
;   in   A = character, of either colour; find2: low byte of a square
;   out  zero set if it was found, HL = one past its place in table
;   uses A
;   13 bytes
;   T-states from find to found: 190 to 295

        section lookup in chess
        ifndef HORNE
        budget lookup <= 24
        else
        budget lookup <= 30
        endif

find:   and $7f
find2:  push bc
        ld hl,table
        ld bc,prices-3-table
        cpir
        pop bc
found:  ret

        ifndef HORNE
; ------------------------------------------------------------------------ touch2
; A man has come to a square (touch2) or left one (touch): who castles there has moved.
;   in   touch2: L, touch: A = low byte of the square
;   uses A, the other set's HL, flags
;   11 bytes
;   T-states from touch to touched: 112 to 335

touch2: ld a,l
touch:  exx
        call find2
        jump nz,untold
        dec hl
        ld (hl),l               ; its own address is no square
untold: exx
touched:ret
        endif

; ------------------------------------------------------------------------ tables
; Places differ in one bit: find leaves 1 to 6 in the low bits of L, bit 3 leads to the
; price and bit 4 to the steps.

        section tables in chess
        ifndef HORNE
        budget tables <= 29
        else
        budget tables <= 23
        endif

table:
        ifndef HORNE
        db a1,e1,h1,a8,e8,h8    ; kings and rooks that have not moved stand here
        endif
letters:db "PNBRQK"
entry:  dw 0                    ; the move to be played: target, source; source 0: any
        ds 1                    ; the one byte that nobody has
prices: db 6,16,17,26,46,0      ; + 1; the king's is the answer 0
move:   dw 0                    ; the best move: target, source
lists:  db low(royal),low(leaps),low(cross),low(lines),low(royal),low(royal)

        assert (low(letters) & $1f) == 0, "find counts from a multiple of 32"
        assert prices == letters + 9 && lists == letters + 17, "one bit away"

; ------------------------------------------------------------------------ status
; Marks check, mate, stalemate or fifty moves. Without a legal move it is the end, and
; after fifty moves of each side without a pawn's and without taking.
;   out  the mark; returns if the game goes on
;   uses all
;   30 bytes
;   T-states from status to judged: 15246 to 1957163

        section game in chess
        ifndef HORNE
        budget game <= 242
        else
        budget game <= 162
        endif

status: ld de,0                 ; any move, and the first one will do
        call play
        jump nc,show            ; A = MATED or STALE
        ifndef HORNE
        ld a,(fifty)            ; which does not matter in mate
        cp 100
        ld a,DRAWN
        jump nc,show
        endif
        call incheck
        sbc a,a                 ; carry, which is check, to $FF and then to +
        and '+'
        scf
show:   ld (mark),a
stop:   jump nc,stop
judged: ret

; -------------------------------------------------------------------------- main
; The player's move, then the computer's, for ever. NEWLINE instead of a move gives the
; side to move to the computer, so the player may have either.
;   in   nothing; never returns
;   73 bytes

main:   ld sp,$440c             ; the end of what repeats and is free
        call status
input:  ld hl,cells
        call square
        ld d,a
        call square
        ld e,a
        call play
        jump nc,input           ; not legal: type another
        ifndef HORNE
        ld a,(de)
        cp c
        jump z,answer
ask:    call key                ; the pawn has become a queen: which piece shall it be?
        ld b,a
        call find
        ld a,l
        sub low(letters)+2      ; 0 to 3 are N B R Q
        cp 4
        jump nc,ask
        ld a,(de)
        and $80
        or b
        ld (de),a
        endif
answer: call status
think:  call FAST
        ld (nodes),hl           ; status leaves the page in H
        ld e,$ff                ; no bound
        ld a,WIDE+DEEP
        call root
        call SLOW
thought:ld de,(move)
        call play
        jump main

; ------------------------------------------------------------------------ square
; Waits for a letter A to H and a digit 1 to 8, shows them, finds the square. Other keys
; are passed over. A held key does no harm: a letter is never wanted after a letter.
;   in   HL = where to show them
;   out  A = low byte of the square, HL two further
;   uses B, E and the other set; NEWLINE leads to answer, and main mends the stack
;   36 bytes

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

        ifdef HORNE
        section lookup          ; just as long as touch and the unmoved men
        endif
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
        section game

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
;   45 bytes
;   T-states from descend to search: 155 to 156
;   T-states from valued to undo: 121 to 175

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
; its search may end at the first value above gain - best. $FF: no bound.
        ld a,d
        cpl
        add a,b
        jump nc,bound
        sbc a,a
bound:  ld e,a
        call search
valued: pop hl
        ld (side),hl
        pop de
        pop bc
        ld h,high(squares)
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
; and the fifty moves are noted, the other side is to move; en passant is noted already.
; Reached from the search, whose frame is dropped: the return is play's.
;   in   B = man taken, C = man that moved, DE = source, HL = target; a word on the stack
;   out  DE = target, C = the man as it was, carry set
;   uses A, B, HL and the other HL
;   40 bytes
;   T-states from commit to played: 476 to 879

commit: pop af
        ifndef HORNE
        ld a,e
        call touch
        call touch2
        inc (iy+fifty-SYSTEM)
        ld a,c
        or 7
        cp b
        jump z,noted            ; he castled
        inc b
        djnz anew               ; something was taken
        ld a,c
        and $7f
        cp 'P'
        jump nz,noted
anew:   ld (iy+fifty-SYSTEM),0
noted:  ex de,hl
        endif
        ld hl,side
        ld a,(hl)
        cpl
        ld (hl),a
        scf
played: ret

        assert 'K' | 7 == 'R', "the rook's colour comes from the king"

; -------------------------------------------------------------------------- make
; The second half of the search stands in front of the first, so that more jumps reach.
; A move is to be tried.
;   in   DE = source, HL = target, the values' B and C
;   out  falls into legal with the move's own value in the values' B, or goes to cont or
;        commit
;   135 bytes
;   T-states from make to descend: 218 to 335
;   T-states from make to undo: 242 to 342
;   T-states from undo to legal: 82 to 82

        section search in chess
        ifndef HORNE
        budget search <= 468
        else
        budget search <= 339
        endif

make:
        ifndef HORNE
        ld a,(ep)               ; goes with the step: the step's page is known
        ld b,a
        endif
        push bc
        exx
        ld l,c
        ld a,(hl)
        ld (hl),0               ; first the victim, who in passing is not on the target
        exx
        ld b,a
        ld a,(de)
        ld c,a
        ld (hl),a
        xor a
        ld (de),a
        ld a,c
        ifndef HORNE
        add a,a                 ; without the colour
        cp low(2*'P')
        jump nz,officer
        ld a,l
        sub a7-1
        cp 6*PITCH
        jump c,ranks            ; 7 to 2
        inc (hl)                ; Q comes after P
        exx
        ld a,40
        add a,b
        ld b,a
        exx
ranks:  ld a,l
        sub e
        and 3                   ; 20 and -20, but not 9, 10 or 11
        ld a,0
        jump nz,soldier
        ld a,e
        add a,l
        rra                     ; the square in the middle
soldier:scf
        jump made
officer:xor a
made:   ld (ep),a
        else
        and $7f
        sub 'P'
        cp 1                    ; carry: a pawn
        endif
        exx
        bit 2,(iy+depth-SYSTEM)
        jump z,inner
; The computer's own move: 1 more for a pawn's, and by lot 2 more for any. So pawns come
; forward to the last rank, and games differ and do not go in circles.
        ld a,r
lot:    rla                     ; bit 0 is drawn by lot, carry is a pawn's
        and 3
        add a,b
        ld b,a
        exx
        call incheck            ; else the search would find out late
        jump c,undo
        exx
        ld a,(nodes+1)
        cp LATE
        jump c,inner
        ld e,0                  ; time is up: the first legal move from here ends it
; If the other side may stay with what it has, the move is worth 128 + gain at most.
; Is that not above best, it need not be looked at.
inner:  ld a,b
        add a,126
        cp d
        exx
        ld a,(depth)
        dec a                   ; carry stays
        jump nc,try
        cp DEEP+1               ; carry: the other side may stay
try:    call nc,descend
        jump c,undo             ; not legal, or poor
        exx
        cpl
        add a,b                 ; gain + 1 + 255 - value
        jump nc,fits
        sbc a,a                 ; more than 255 is 255
fits:   ld b,a
        exx
        ld a,(entry+1)
        or a                    ; carry clear: legal
        jump nz,commit
undo:   ld (hl),0
        ld a,c
        ld (de),a
        ld a,b
        exx
        ld l,c
        ld (hl),a               ; in a capture this is the target
        exx
        pop bc
        ifndef HORNE
        ld a,b
        ld (ep),a
        ld b,d
        endif
        jump c,cont

; ------------------------------------------------------------------------- legal
; A legal move was tried.
;   in   the values' B = what it is worth
;   out  falls into cont, or ends the search with A = best
;   20 bytes
;   T-states from legal to cont: 28 to 86

legal:  exx
        ld a,b
        cp d
        exx
        jump c,cont
        exx
        ld d,a
        exx
        bit 2,(iy+depth-SYSTEM)
        jump z,cont
        ld h,e
        ld (move),hl
        ld h,d

; -------------------------------------------------------------------------- cont
; Goes the same man on in the same direction?
;   in   DE = source, HL = target, BC = step
;   out  to slide or turn
;   133 bytes
;   T-states from cont to slide: 130 to 147
;   T-states from cont to turn: 76 to 625

cont:
        ifndef HORNE
        ld a,(de)
        and $7f
        cp 'K'
        jump z,king
        endif
cut:    exx
        ld a,e
        cp d
        ld a,d
        ret c                   ; good enough
        exx
        ld a,(hl)
        or a
        jump nz,turn            ; it was a capture
        ld a,(de)
        and $7f
        cp 'P'
        jump nz,goes
        ld a,(side)             ; from its first rank it goes on
        xor l
        cp a3
        jump onward
        ifndef HORNE
; Castling follows where the king's step to the side was tried. For the search he takes
; the rook in its corner, and another stands beside him until his move is taken back.
king:   ld a,(bc)
        add a,e
        cp l
        jump nz,castled         ; the second step
        ld l,e
way:    ld a,(bc)
        add a,l
        ld l,a
        ld a,(hl)
        or a
        jump z,way
        ld a,(de)
        or 7
        cp (hl)
        jump nz,cut             ; it ends at no rook of his; no rook is on E8
        ld a,l
        exx
        ld c,a                  ; what the move takes
        call find2
        exx
        jump nz,cut             ; which has moved
        ld a,e
        exx
        call find2
        exx
        jump nz,cut             ; the king has moved
        ld a,(bc)
        add a,e
        ld l,a
        ld a,(de)
        ld (hl),a               ; a king on both squares, and one question for check
        call incheck
        ld (hl),0
        jump c,cut
        ld a,(de)
        or 7
        ld (hl),a
        ld a,(bc)
        add a,l
        ld l,a
        exx
        xor a                   ; nothing is gained
        jump worth
castled:ld a,e
        add a,l
        rra                     ; carry and all: the square in the middle
        ld l,a
        ld (hl),0
        jump cut
        endif
far:    ld a,(de)
goes:   and 6                   ; B, R and Q have both bits, K and N not
        cp 6
onward: jump nc,slide
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
        sbc a,a                 ; carry, which is check, to $FF
        and MATED^STALE
        xor STALE               ; carry clear
        ret

; -------------------------------------------------------------------------- play
; Plays a move if it is legal. With source 0 it asks for any legal move.
;   in   DE = source and target, or 0; E is the bound as well: with 0 one move will do
;   out  as commit, carry set; or carry clear, A = MATED or STALE: no such move;
;        with source 0 carry set if there is one
;   uses all
;   6 bytes

play:   ld (entry),de
        ld a,DEEP+1

; -------------------------------------------------------------------------- root
; search with depth A.
;   3 bytes

root:   ld (depth),a

; ------------------------------------------------------------------------ search
; Values the position for the side to move.
;   in   E = bound
;   out  A = value: 0 the king can be taken; carry clear: no legal move (with bound 0)
;   uses all
;   25 bytes
;   T-states from search to scan: 77 to 107

search: ld hl,(nodes)
        inc hl
        ld (nodes),hl
        ld a,(depth)
        ld d,0
        cp DEEP+1
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
;   146 bytes
;   T-states from slide to make: 178 to 604
;   T-states from slide to slide: 184 to 184
;   T-states from slide to turn: 62 to 586

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
        ifndef HORNE
        ld a,(ep)
        cp l
        jump nz,turn
        rla                     ; carry on rank 3
        sbc a,a
        and -2*PITCH
        add a,PITCH
        add a,l
        jump takes
        else
        jump turn
        endif
ahead:  or a
blocked:jump nz,turn
plain:  ld a,l
takes:  exx
        ld c,a
        ld l,a
        ld a,(hl)
worth:  ld b,1
        or a
        jump z,quiet
        call find
        set 3,l
        ld a,(hl)
        ld b,a
        exx
        jump nz,blocked         ; Black's border
        or a
        ret z                   ; the king
        ld a,(depth)
        or a
        jump z,turn
        jump chosen
quiet:  exx
        ld a,(depth)
        cp DEEP+1
        jump c,far
; When a move is to be played it is the only one.
chosen: ld a,(entry+1)
        or a
tried:  jump z,make
        cp e
other:  jump nz,cont
        ld a,(entry)
        cp l
        jump z,tried
        jump other

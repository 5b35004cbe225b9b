; Chess for the unexpanded ZX81
; =============================
;
; You play White by typing four keys, E2E4 and the like; the computer answers for
; Black with the capture that wins most, or with the first quiet move it finds.
; README.md has the rules, the tie rule and the byte table.
;
; The layout `sysvar` of the .P writer puts the BASIC line and the code that it
; starts with into the system variables. That code sets D_FILE, leaves its address
; in HL and jumps to human.
;
; Memory map
;   $4009-$403B  51  system variables; the BASIC line and the start code in them
;   $403C         1  of PRBUFF, still a system variable and not used
;   $403D-$4078  60  square, key, over
;   $4079-$407F   7  wanted: the order of captures
;   $4080-$4085   6  the line that D_FILE moves up to when Black has won
;   $4086-$40FA 117  display file: the board, and below it the keys that were typed
;   $40FB-$40FF   5  the line that D_FILE moves down to when White has won
;   $4100-$411A  27  steps, and for each piece where its steps are
;   $411B-$418E 116  found, move, think, human
;   $418F-       free; the stack comes down to $43D6
;
; The board is the display file. A rank is eleven bytes: its digit, a grey block,
; eight squares, newline; so A1 is $40E4, one file is +1 and one rank -11. A byte is
; a character of the screen: 0 is an empty square, P N B R Q K are White, the same
; with bit 7 set are Black. Two bytes that are neither empty nor a piece lie between
; the ranks, and two rows of such bytes above and below the board, the last of them
; in $4000-$4002 (low bytes wrap around): no step of a piece leaves the board
; unseen. The file letters are inverse, so that no knight takes the B for a bishop.
;
; How a move is chosen. think goes through the wanted characters K Q R B N P and
; empty, best first; for each it generates the moves of Black until one ends on the
; wanted character, and that move is played. No scores, no list, no best so far.
;
; Register plan. The two register sets change places with each exx; both are used
; alike, so a routine may find them either way round.
;   HL   target square, H is $40        HL'  entry of wanted while thinking
;   DE   source square, D is $40; while keys are read, where the next one is shown
;   B    page of the steps, or counter  BC' DE' HL'  belong to the ROM in key
;   C    low byte of the present step
;   IX, IY, I, R and AF' are the display's.

D_FILE  equ $400c               ; address of the display file
LAST_K  equ $4025               ; the key that is down, set by each frame
DECODE  equ $07bd               ; BC as in LAST_K to HL, address of the character;
                                ; carry set if it was one key. A, BC, DE, HL change
        charmap "zx81"          ; small letters are inverse video

RANK    equ 11                  ; bytes from one rank to the next
h1      equ a1+7
a5      equ a1-4*RANK           ; rank 6, where a first step ends, is below
a7      equ a1-6*RANK

        region chess, start=$403d, size=$4400-$403d

; ------------------------------------------------------------------------ square
; Waits for two keys, a letter A to H and then a digit 1 to 8, and finds the square.
; Where the next key will be shown stands an A while a letter is awaited and a 1 while
; a digit is; keys that were taken are inverse. That is also what keeps the B of a file
; from being taken for a bishop: they are within reach of a knight.
; Other keys are passed over. A held key does no harm: a letter is never expected
; after a letter, nor a digit after a digit, so nothing has to wait for its release.
;   in   H = $40, DE = where the first key is shown
;   out  HL = address of the square, carry clear if a White piece stands on it, B = 0
;   uses A, C, E, BC', DE', HL'; BREAK leads to over, with no return
;   51 bytes; 695 to 845 T-states after the second key

        section input in chess
        budget input <= 51

square: ld b,'A'
        call key
        ld l,c                  ; the letter
        ld b,'1'                ; and the digit
; key: waits for a key whose character is B to B+7, shows it at DE, counts E up
;   out  C = character; then the square of letter L and digit C
key:    ld a,b
        ld (de),a               ; what is awaited
        exx
wait:   ld hl,(LAST_K)
        ld b,h
        ld c,l
        inc l
        jr z,wait               ; no key: DECODE would never come back
        call DECODE
        jr nc,wait              ; more than one
        ld a,(hl)
        exx
        or a
        jr z,over               ; BREAK, carry clear
        ld c,a
        sub b
        cp 8
        jr nc,key
        ld a,c
        set 7,a                 ; inverse; unlike or it leaves carry alone
        ld (de),a
        inc e
; Address: letter - 11 * digit - 3, low byte. The first sbc finds carry set by cp;
; the byte passes zero twice on its way, and each time takes one more.
        ld b,c
        ld a,l
times:  sbc a,RANK
        djnz times
        ld l,a
        ld a,(hl)
        dec a                   ; sign set: empty or Black
        add a,a                 ; the sign to carry
        ret

; -------------------------------------------------------------------------- over
; The game is over: shows the message and stops. D_FILE moves by one line down, or
; up to lose, and another line of text comes into the picture.
;   in   H = $40, carry set if White has won
;   9 bytes; never returns

        section ending in chess
        budget ending <= 9

over:   ld l,low(D_FILE)
        inc (hl)
win:    jr c,win
        ld (hl),low(lose)
stop:   jr stop

; ------------------------------------------------------------------------ wanted
; What Black takes, the dearest first; the space is an empty square. think stops
; when the low byte of the address passes $7F.

        section order in chess
        budget order <= 7

wanted: db "KQRBNP "
        assert low($) == $80, "wanted has to end at $7F"

; ----------------------------------------------------------------- display file
; The two messages are lines above and below it, out of the picture.

        section messages_above in chess
        budget messages_above <= 6

lose:   db "\n▒LOSE"

        section board in chess
        budget board <= 117

dfile:  db "\n"
        ds 14,'\n'
        db "8▒rnbqkbnr\n"
        db "7▒pppppppp\n"
        db "6▒        \n"
        db "5▒        \n"
        db "4▒        \n"
        db "3▒        \n"
        db "2▒PPPPPPPP\n"
        db "1▒"
a1:     db "RNBQKBNR\n"
from:   db "▒▒"                 ; the keys of the first square
        db "abcdefgh\n"
to:     db "▒▒\n"               ; those of the second, below them

        section messages_below in chess
        budget messages_below <= 5

        db "▒win\n"

        assert low(a1) == low('A' - RANK*'1' - 3), "square has to find A1"
        assert high(lose) == high(D_FILE) && high(a1) == high(D_FILE), "H is $40"
        assert high(from) == high(to), "human changes E only"

; ------------------------------------------------------------------------- steps
; Lists of steps, each ended by 0, and for each piece a cell: the low byte of its
; first step. The cells lie at the pieces' inverse letters + cells, between the lists
; and in them: K, P and Q start at 00, so their cells also end the lists in front of
; them; N starts at 0B, which is 11, so its cell is also a step of R.
; The first step down serves the pawn's double step, the second its single one.

        section steps in chess
        budget steps <= 27

royal:  db RANK,-1,1,-RANK,RANK         ; king, queen, pawn
cross:  db RANK-1,RANK+1,1-RANK,-1-RANK ; bishop
        db 0
cell_b: db low(cross)
leaps:  db 2*RANK-1,2*RANK+1,RANK-2,RANK+2
        db 2-RANK,-2-RANK,1-2*RANK,-1-2*RANK
cell_k: db low(royal)                   ; 0, end of the leaps
lines:  db 1,-1                         ; rook
cell_n: db low(leaps)                   ; 11, the third step of the rook
        db -RANK
cell_p: db low(royal)                   ; 0, end of the lines
cell_q: db low(royal)
cell_r: db low(lines)

cells   equ low(cell_b-'b')
        assert low(royal) == 0 && low(leaps) == RANK, "0 and 11 are also steps"
        assert cell_k-cell_b == 'k'-'b' && cell_n-cell_b == 'n'-'b', "cells of K and N"
        assert cell_p-cell_b == 'p'-'b' && cell_q-cell_b == 'q'-'b', "cells of P and Q"
        assert cell_r-cell_b == 'r'-'b', "cell of R"

; ------------------------------------------------------------------------- found
; The wanted character is at HL. A pawn may take only by a slanting step, and only
; go to an empty square by a step of one rank. Over its first rank it goes on to
; the second at once; if that is blocked, the other step of one rank comes later.
;   in   DE = source, HL = target, BC = step
;   out  goes to move with a legal move, to cont or slide without
;   21 bytes; 26 T-states, pawns 61 to 90

        section moves in chess
        budget moves <= 116

found:  ld a,(de)
        sub 'p'
        jr nz,move
        cp (hl)                 ; carry set: a capture
        ld a,(bc)
        adc a,-RANK             ; 10+1 and 11+0 to 0, 12+1 to 2
        and $fd
        jr nz,cont
        or c                    ; the first step of the list?
        jr nz,move
        ld a,l
        cp low(a5)
        jr c,slide

; -------------------------------------------------------------------------- move
; Moves the piece at DE to HL, makes a queen of a pawn on rank 8 or 1. A captured
; king ends the game. Otherwise it is the other side's turn.
;   in   DE = source, HL = target, B = 0 for a move of White
;   out  falls into think, or goes to human or over
;   28 bytes; 80 to 128 T-states

move:   ld c,(hl)
        ld a,(de)
        ld (hl),a
        add a,a
        cp 2*'P'
        jr nz,moved
        ld a,l
        sub low(a7)
        cp 6*RANK
        jr c,moved              ; ranks 7 to 2
        inc (hl)                ; Q comes after P
moved:  xor a
        ld (de),a
        ld a,c
        xor 'K'
        add a,a                 ; carry: a Black piece was taken
        jp z,over
        inc b
        djnz human              ; B was not 0: Black has moved

; ------------------------------------------------------------------------- think
; Finds the move of Black. Sources go from H1 to A1, H2 to A2, up to A8.
;   in   D, H = $40
;   out  goes to move; with no move at all falls into human
;   48 bytes; 450 to 120,000 T-states (SLOW leaves about a quarter of the time)

think:  ld b,high(royal)
        exx
        ld hl,wanted
nextw:  exx
        ld e,low(h1)
nextsq: ld a,(de)
        add a,cells             ; carry: inverse, a Black piece
        jr nc,nextfr
        ld c,a
        ld a,(bc)
        ld c,a                  ; first step
dir:    ld l,e
slide:  ld a,(bc)
        add a,l
        ld l,a
        ld a,(hl)
        exx
        cp (hl)
        exx
        jr z,found
cont:   ld a,(de)               ; B, R and Q have bits 1 and 2 set, P, N and K not:
        cpl
        and 6
        or (hl)                 ; they go on over empty squares
        jr z,slide
        inc c
        ld a,(bc)
        or a
        jr nz,dir
nextfr: dec e
        jp m,nextsq             ; $4080 is the last that is looked at
        exx
        inc l
        jp p,nextw              ; $407F is the last entry of wanted

; ------------------------------------------------------------------------- human
; Reads a move of White. The source must be White and the target not: otherwise
; the entry is dropped and can be typed again, which the A at its start tells.
;   in   H = $40
;   out  goes to move with DE = source, HL = target, B = 0
;   19 bytes; waits for the keys

human:  ld de,from
        call square
        jr c,human
        push hl
        ld e,low(to)
        call square
        pop de
        jr c,move
        jr human

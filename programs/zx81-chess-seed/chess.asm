; Chess for the unexpanded ZX81
; =============================
;
; You play White by typing four keys, E2E4 and the like; the computer answers for
; Black with the capture that wins most, or with the first quiet move it finds.
; README.md has the rules, the tie rule and the byte table.
;
; The whole tape file is assembled here, from $4009 to the last byte: the ROM
; loads it, finds NXTLIN pointing into the system variables and runs that line.
;
; Memory map
;   $4009-$403B  51  system variables; the BASIC line and the start code in them
;   $403C-$4043   8  printer buffer, not used
;   $4044-$4078  53  square, key, over
;   $4079-$407F   7  wanted: the order of captures
;   $4080-$4088   9  the line that D_FILE moves up to when Black has won
;   $4089-$40FB 115  display file: the board
;   $40FC-$40FF   4  the line that D_FILE moves down to when White has won
;   $4100-$411A  27  steps, and for each piece where its steps are
;   $411B-$418A 112  found, move, think, human
;   $418B-       free; the stack comes down to $43D6
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
;   DE   source square, D is $40
;   B    page of the steps, or counter  BC' DE' HL'  belong to the ROM in key
;   C    low byte of the present step
;   IX, IY, I, R and AF' are the display's.

LAST_K  equ $4025               ; the key that is down, set by each frame
DECODE  equ $07bd               ; BC as in LAST_K to HL, address of the character;
                                ; carry set if it was one key. A, BC, DE, HL change
NEWLINE equ $76
GREY    equ $08
BLACK   equ $80                 ; inverse video
PAWN    equ $35                 ; the letters of the pieces in the ZX81's code
KNIGHT  equ $33
BISHOP  equ $27
ROOK    equ $37
QUEEN   equ $36
KING    equ $30

RANK    equ 11                  ; bytes from one rank to the next
h1      equ $40eb
b7end   equ $40b8               ; one past rank 6, the goal of a first step
a7      equ $40a2

; ------------------------------------------------------------- system variables
; $4009 is at once a line of BASIC, GOTO USR 16393, and the start of the code that
; the line calls. As a line: number $2640, length $1418 (never needed), the tokens,
; a number whose last two bytes are E_LINE's. As code: it sets D_FILE, which the
; line covers, and leaves its high byte in H.

        org $4009
        db $26,dfile/256        ; LD H,n       and the line number
        db $18,$14              ; JR start2    and the length
        db $ec,$d4,$1c,$7e      ; GOTO USR 0, a number follows:
        db $8f,0,$12            ; 16393
        dw finis                ; E_LINE: one past the file
        dw finis-1              ; CH_ADD
        db 0,0,0,0,0,0,0,0,0    ; X_PTR to DF_SZ
start2: ld l,dfile & 255
        jr start3
        dw $ffff                ; LAST_K: none
        db $ff                  ; debounce
        db 55                   ; MARGIN
        dw $4009                ; NXTLIN
start3: ld ($400c),hl           ; D_FILE
        jr start4
        dw 0                    ; T_ADDR
        dw 0                    ; SEED
        dw $ffff                ; FRAMES
start4: xor a
        ex af,af'               ; no margin lines counted yet
        jp human
        db $40                  ; CDFLAG: SLOW
        ds 8,0                  ; PRBUFF

; ------------------------------------------------------------------------ square
; Waits for two keys, a letter A to H and then a digit 1 to 8, and finds the square.
; Other keys are passed over. A held key does no harm: a letter is never expected
; after a letter, nor a digit after a digit, so nothing has to wait for its release.
;   in   H = $40
;   out  HL = address of the square, carry clear if a White piece stands on it
;   uses A, B, C, BC', DE', HL'; BREAK leads to over, with no return
;   44 bytes; 670 to 820 T-states after the second key

square: ld b,$26                ; 'A'
        call key
        ld l,c                  ; the letter
        ld b,$1d                ; '1', and the digit
; key: waits for a key whose character is B to B+7
;   out  C = character; then the square of letter L and digit C
key:    exx
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

over:   ld l,$0c                ; D_FILE
        inc (hl)
win:    jr c,win
        ld (hl),lose & 255
stop:   jr stop

; The order of captures. Ends at an address whose low byte is $7F, see think.
wanted: db KING,QUEEN,ROOK,BISHOP,KNIGHT,PAWN,0

; ------------------------------------------------------------------ display file
lose:   db NEWLINE,GREY,GREY,$31,$34,$38,$2a,GREY,GREY
dfile:  db NEWLINE
        ds 11,NEWLINE
        db $24,GREY
        db BLACK+ROOK,BLACK+KNIGHT,BLACK+BISHOP,BLACK+QUEEN
        db BLACK+KING,BLACK+BISHOP,BLACK+KNIGHT,BLACK+ROOK,NEWLINE
        db $23,GREY
        ds 8,BLACK+PAWN
        db NEWLINE
        db $22,GREY,0,0,0,0,0,0,0,0,NEWLINE
        db $21,GREY,0,0,0,0,0,0,0,0,NEWLINE
        db $20,GREY,0,0,0,0,0,0,0,0,NEWLINE
        db $1f,GREY,0,0,0,0,0,0,0,0,NEWLINE
        db $1e,GREY
        ds 8,PAWN
        db NEWLINE
        db $1d,GREY
        db ROOK,KNIGHT,BISHOP,QUEEN,KING,BISHOP,KNIGHT,ROOK,NEWLINE
        db GREY,GREY,$a6,$a7,$a8,$a9,$aa,$ab,$ac,$ad,NEWLINE
        ds 4,NEWLINE
        db $bc,$ae,$b3,NEWLINE  ; WIN

; ------------------------------------------------------------------------- steps
; Lists of steps, each ended by 0, and in between one byte a piece: where its list
; starts. The place of that byte is the inverse letter + $63, low byte: B 0A, K 13,
; N 16, P 18, Q 19, R 1A. K, P and Q start at 00, so their bytes also end the list
; in front of them; N starts at 0B, which is 11, so its byte is also a step of R.
; The first step down serves the pawn's double step, the second its single one.

royal:  db RANK,-1,1,-RANK,RANK         ; 00 king, queen, pawn
cross:  db RANK-1,RANK+1,1-RANK,0-RANK-1 ; 05 bishop
        db 0
        db cross & 255                  ; 0A where B starts
leaps:  db 2*RANK-1,2*RANK+1,RANK-2,RANK+2
        db 2-RANK,0-RANK-2,1-2*RANK,0-2*RANK-1
        db royal & 255                  ; 13 where K starts, end of the leaps
lines:  db 1,-1                         ; 14 rook
        db leaps & 255                  ; 16 where N starts, a step of 11
        db -RANK
        db royal & 255                  ; 18 where P starts, end of the lines
        db royal & 255                  ; 19 Q
        db lines & 255                  ; 1A R

; ------------------------------------------------------------------------- found
; The wanted character is at HL. A pawn may take only by a slanting step, and only
; go to an empty square by a step of one rank. Over its first rank it goes on to
; the second at once; if that is blocked, the other step of one rank comes later.
;   in   DE = source, HL = target, BC = step
;   out  goes to move with a legal move, to cont or slide without
;   21 bytes; 26 T-states, pawns 61 to 90

found:  ld a,(de)
        sub BLACK+PAWN
        jr nz,move
        cp (hl)                 ; carry set: a capture
        ld a,(bc)
        adc a,-RANK             ; 10+1 and 11+0 to 0, 12+1 to 2
        and $fd
        jr nz,cont
        or c                    ; the first step of the list?
        jr nz,move
        ld a,l
        cp b7end & 255
        jr c,slide

; -------------------------------------------------------------------------- move
; Moves the piece at DE to HL, makes a queen of a pawn on rank 8 or 1. A captured
; king ends the game. Otherwise it is the other side's turn.
;   in   DE = source, HL = target
;   out  falls into think, or goes to human or over
;   29 bytes; 80 to 135 T-states

move:   ld c,(hl)
        ld a,(de)
        ld (hl),a
        add a,a
        cp 2*PAWN
        jr nz,moved
        ld a,l
        sub a7 & 255
        cp 6*RANK
        jr c,moved              ; ranks 7 to 2
        inc (hl)                ; Q comes after P
moved:  xor a
        ld (de),a
        ld a,c
        xor KING
        add a,a                 ; carry: a Black piece was taken
        jp z,over
        bit 7,(hl)
        jr nz,human

; ------------------------------------------------------------------------- think
; Finds the move of Black. Sources go from H1 to A1, H2 to A2, up to A8.
;   in   D, H = $40
;   out  goes to move; with no move at all falls into human
;   48 bytes; 450 to 120,000 T-states (SLOW leaves about a quarter of the time)

think:  ld b,royal/256
        exx
        ld hl,wanted
nextw:  exx
        ld e,h1 & 255
nextsq: ld a,(de)
        add a,$63               ; carry: inverse, a Black piece
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
; the entry is dropped and can be typed again.
;   in   H = $40
;   out  goes to move with DE = source, HL = target
;   14 bytes; waits for the keys

human:  call square
        jr c,human
        push hl
        call square
        pop de
        jr c,move
        jr human
finis:

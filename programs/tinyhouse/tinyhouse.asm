; Tinyhouse on an ATmega1284P
; ===========================
;
; Chess on four by four squares with drops, on bit boards of 16 bits: the rules, perft, and
; an opponent, played over the serial line. README.md has the rules, the commands and the
; byte table. `--machine atmega328p` or `atmega644p` makes it for those chips, which remember
; less of a game: only `LAST` differs.
;
; 16 MHz, 1 MHz on the line: the rate that the USART has after a reset. No interrupts.
;
; Files
;   tinyhouse.asm  this page, names, the game, tables
;   search.asm     all that goes through the moves
;   moves.asm      where pieces go, and moves as text
;   terminal.asm   the screen
;
; Memory map
;   $0107   9  digits: the count of games, and a space
;   $0110   8  line: what was typed
;   $0118   8  text: a move
;   $0200      positions, 20 bytes each: first those of the game, then those of the plies
;              that are looked ahead. Y is at the present one
;   $40FF      stack, downwards: 26 bytes a ply, and 22 of the rest
; Level 9 needs 10 plies and the question for mate: 11 positions, 220 bytes, and 286 of stack.
;
; A position is
;    0  boards of wazirs, ferzes, Ma, pawns, kings, each of both sides
;   10  board of pieces that were pawns
;   12  boards of all white pieces, and of all black ones
;   16  hands of White and Black: two bits each for wazirs, ferzes, Ma, pawns, from bit 0
;   18  side to move, WHITE or BLACK; a byte that is not used
; A board has a bit a square: a4 is bit 0, b4 bit 1, a3 bit 4, d1 bit 15. Low byte first.
;
; The column of a square are its bits in the eight boards: bits 0 to 4 for the kind, 5 for
; what was a pawn, 6 for White, 7 for Black. It is 0 on an empty square.
;
; Register plan. Y is the position.
;   r0       what LPM and MUL give; value of a search
;   r1       for anything
;   r2-r23   the frame of a ply, see below: on the stack while deeper plies run. The rest
;            of the program uses some of them for other things
;   r24 r25  t, u: for anything
;   X, Z     for anything; X mostly has a board

        include <avr/device.asm>

ASKED   equ GPIOR0              ; bit 0: moves are compared with the line, not searched
LEVEL   equ GPIOR1              ; of the machine
SEAT    equ GPIOR2              ; the side that it plays; 0 for none

LAST    equ high(RAMEND-$240)   ; the game ends when positions come to this page: what
                                ;   level 9 needs has room behind it

; Offsets in a position
KINGS   equ 8
WHITES  equ 12
BLACKS  equ 14
HANDS   equ 16
SIDE    equ 18
STATE   equ 20

; Columns
PAWN    equ $08
FORMER  equ $20
WHITE   equ $40
BLACK   equ $80

; Values: a pawn counts 4, a Ma 6, a wazir and a ferz 7. What is lost before the end comes
; on top; differences of two values stay in a byte.
MATED   equ -28                 ; less the plies to go, which are 1 in enum: '#' in six bits
STALE   equ 42                  ; '*': who is stalemated wins; 0 would make it a draw
NONE    equ -72                 ; below all

        def froml = r2          ; from: one bit; none when the piece comes from the hand
        def fromh = r3
        def tol = r4            ; to: one bit
        def toh = r5
        def emptyl = r6         ; squares where nothing stands
        def emptyh = r7
        def foel = r8           ; the other side's pieces
        def foeh = r9
        def allowl = r10        ; where the pieces of this pass may go
        def allowh = r11
        def depth = r12         ; plies to go
        def side = r13          ; WHITE or BLACK
        def c = r14             ; column of the piece that moves
        def delta = r15         ; what the hand loses by a drop, else 0
        def setl = r16          ; where the piece can go besides
        def seth = r17
        def pl = r18            ; pieces of this pass that are still to come; when it is
        def ph = r19            ;   drops, the hand and the kind
        def k = r20             ; what a pawn becomes, 4, 2 or 1; else 0
        def phase = r21         ; $00 kings are looked for, $40 captures, $80 quiet moves,
                                ;   $C0 drops; bit 0: there is a legal move
        def best = r22          ; value found so far
        def beta = r23          ; enough: the side before has better
        def t = r24
        def u = r25
FRAME   equ 2                   ; addresses of the first and past the last
FRAMED  equ 24

        section vars in sram
        ds 7
digits: ds 9
line:   ds 8
text:   ds 8
        assert (low(line) & 8) == 0 && low(text) == low(line)+8, "ANDI wraps the line"
        align 256
base:   ds STATE
        assert low(base) == 0, "the high byte alone tells where the game begins"

        section game in flash
        budget game <= 208

; ------------------------------------------------------------------------- start
; Sets up the USART, the line and the board. A game that is over leads here again, and
; the machine goes on playing its side.
;   in   nothing; goes on to turn with Y at the start, the line empty
;   uses t, Z; 14 words

start:  ldi t,$18               ; receiver and transmitter on
        sts UCSR0B,t
        sts line,t              ; an empty line, as it is no character
        ldi yl,low(base)
        ldi yh,high(base)
        ldi zl,low(initial)
        ldi zh,high(initial)
.copy:  lpm t,Z+
        st Y+,t
        cpi zl,low(initial_end)
        brne .copy
        sbiw yl,STATE

; ------------------------------------------------------------------ turn, count
; The line is done: plays it if it is a legal move, and comes here again. Otherwise it
; shows how many moves there are, the line, and the position; ends the game if it is
; over; and gets the next line, from the machine or the player.
; count does so for all games of t plies.
;   in   Y, the line; count: t
;   uses all; goes to input, start or itself, never returns; 34 words

turn:   ldi t,1
count:  ldi u,' '
        ldi xl,low(line)
        ldi xh,high(line)
.clear: st -X,u
        cpi xl,low(digits)
        brne .clear
        rcall enum
        brts turn               ; it was a move, and Y is behind it
        ldi xl,low(digits)
        ldi xh,high(digits)
.say:   ld u,X+
        rcall tx
        cpi u,' '               ; CR ends it
        brsh .say
        rcall show
        mov u,r0
        andi u,$3f              ; # or *
        sbrs phase,0
        rjmp over               ; no legal move
        cpi yh,LAST
        brsh .draw
        rcall past
        brne fresh
.draw:  ldi u,'='
over:   rcall tx
        rjmp start              ; which empties the line: its move may be one of a new game
fresh:  in t,SEAT
        cp t,side
        brne input
        cbi ASKED,0
        in t,LEVEL
        rcall root              ; the line is its move
        rjmp turn

; ------------------------------------------------------------------------- input
; Reads a line, in capital letters, and does what it says.
;   pN  counts the games of N plies, 1 to 9
;   N   the machine plays the side to move at level N; with 0 it stops
; What else it may be is left to turn.
;   out  goes to turn or count, LEVEL and SEAT set by a digit
;   uses t, u, X; 37 words; waits for characters

input:  ldi xl,low(line)
        ldi xh,high(line)
.char:  lds t,UCSR0A
        sbrs t,7
        rjmp .char
        lds u,UDR0
        rcall tx
        sbrc u,6
        andi u,$df              ; a letter
        cpi u,'H'
        brne .put
        ldi u,'M'
.put:   st X+,u
        andi xl,$f7             ; what is too long begins again
        cpi u,13
        brne .char
        ldi xl,low(line)
        ld u,X+
        ld t,X
        subi u,'0'
        cpi u,10
        brlo level
        cpi u,'P'-'0'
        brne again
        subi t,'1'
        cpi t,9
        brsh again              ; P@b2 is a drop
        inc t
        rjmp count
level:  out LEVEL,u
        tst u
        breq .none
        mov u,side
.none:  out SEAT,u
again:  rjmp turn

; -------------------------------------------------------------------------- past
; How often the position has been there before.
;   in   Y
;   out  k = 0, 1, or 2, with Z set then only
;   uses t, u, r1, X, Z, k, pl, ph; 19 words; 8 clocks for each position before, and more

past:   movw pl,yl
        clr k
.state: subi pl,2*STATE         ; the same side to move
        sbci ph,0
        cpi ph,high(base)
        brlo .ret
        movw xl,pl
        movw zl,yl
        ldi u,SIDE
.byte:  ld t,X+
        ld r1,Z+
        cpse t,r1
        rjmp .state
        dec u
        brne .byte
        inc k
        cpi k,2
        brne .state
.ret:   ret

        include "search.asm"
        include "moves.asm"
        include "terminal.asm"

        section tables in flash
        budget tables <= 26

initial: dw $2004, $8001, $4002, $0180, $1008, 0, $f100, $008f
        db 0, 0, WHITE, 0
initial_end:
letters: db "WFMPK."            ; by the lowest bit of a column
        assert initial_end-initial < 256, "the low byte tells the end"

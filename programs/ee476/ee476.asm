; Tic-tac-toe and chess on an AT90S8515
; =====================================
;
; A board for two players, or for one against the machine: a serial terminal shows the
; game, a keypad of four by four takes the moves, LEDs show errors. README.md has the
; rules, the keys, the wiring and the byte table.
;
; 8 MHz, 9600 baud. Nothing but the core of 1997: no MUL, MOVW or CALL, LPM to r0 only.
; No interrupts: timer 1 is asked for its seconds wherever the program waits or thinks.
;
; Files
;   ee476.asm   this page, names, tables
;   search.asm  moves of chess, making them, the search
;   noughts.asm rows of tic-tac-toe, and its player
;   game.asm    start, menu, turns, ends
;   draws.asm   repetition, fifty moves, material
;   players.asm what the players do
;   screen.asm  terminal
;   keys.asm    keypad, clocks
;
; Memory map
;   $0060-$0063   4  clocks: minutes and seconds of White, then of Black
;   $0064-$00FF 156  log: address and old byte of each square that a move changed
;   $0100-$017F 128  board, square $rc is row r, column c (0 to 7); columns 8 to 15
;                    and the rest of the page are no squares
;   $0180-$025F 224  stack
;   EEPROM      400  a hash of 32 bits for each position since the last capture or
;                    pawn move: those of position n at n + 0, 128, 256 and 384
;
; A square is 0 when it is empty, or has the type of the piece in bits 0 to 2, and
;   bit 3  White          bit 7  Black, so SWAP turns one side into the other
;   bit 6  not moved yet: pawns that may go two, kings and rooks that may castle
; Types: pawn 2, rook 3, knight 4, bishop 5, king 6, queen 7. The odd ones slide; pawns
; are those with bits 0 and 2 clear. In tic-tac-toe a mark is the bit of its side.
;
; Register plan. ZH is 0 all the time and XH 1: Z is in the tables, the registers or
; page 0 of the memory, X on the board; Y is the end of the log.
;   r0       what LPM read; gain of a move, then what it is short of the bound
;   r1-r15   the game and the search, see below
;   r16 r17  t, u: for anything; u is what a routine returns
;   r18-r26  the frame of a ply: on the stack while deeper plies run
;            (in the rest of the program they are free, but for ep)

; I/O registers
UBRR    equ $09
UCR     equ $0a
USR     equ $0b
UDR     equ $0c
DDRB    equ $17
PINA    equ $19
DDRA    equ $1a
PORTA   equ $1b
EECR    equ $1c
EEDR    equ $1d
EEARL   equ $1e
EEARH   equ $1f
OCR1AL  equ $2a
OCR1AH  equ $2b
TCNT1L  equ $2c
TCCR1B  equ $2e
TIFR    equ $38
SPL     equ $3d
SPH     equ $3e
OCF1A   equ 6                   ; bit of TIFR

RAMEND  equ $25f
HERTZ   equ 8000000
SECOND  equ HERTZ/256           ; steps of timer 1

PAWN    equ 2
ROOK    equ 3
KNIGHT  equ 4
BISHOP  equ 5
KING    equ 6
QUEEN   equ 7
WHITE   equ $08
BLACK   equ $80
UNMOVED equ $40

; Values, in half pawns. NONE is below all others; TAKEN above all.
NONE    equ -45                 ; no legal move found yet
MATED   equ -42
WON     equ 36                  ; more than material explains: a mate
AGAIN   equ 20                  ; against going where the game has been
TAKEN   equ 127                 ; a king can be taken

NOWHERE equ $80                 ; no square, so no pawn goes there
QUIET   equ 8

; The game
        def side = r2           ; WHITE or BLACK, the one to move
        def who = r12           ; the same, not turned by the search: whose clock runs
        def half = r7           ; half-moves without capture and pawn move; marks set
        def options = r10       ; bits 0 and 1: machine has White, Black; 2: speed chess
        def size = r11          ; 3 or 8 squares a side; bit 3 tells that it is chess
        def mfrom = r8          ; the move that enum is to make
        def mto = r9
        def promo = r6          ; what a pawn becomes
; The search
        def dep = r3            ; plies to go with all moves, less one
        def top = r13           ; dep of the first ply
        def floor = r4          ; dep at which only captures of kings count
        def newep = r5          ; ep for the next ply
        def seen = r1           ; bit 1: a pawn can be taken in passing
        def quick = r14         ; 2, then 1 and 0 as seconds pass
        def prey = r15          ; WHITE or BLACK when that side has a king only and the
                                ; machine a piece that mates, else 0
        def t = r16
        def u = r17
; The frame
        def piece = r18
        def mark = r19          ; end of the log before the move
        def ep = r20            ; where a pawn can be taken in passing; with QUIET added
                                ; when a search has come to the quiet moves
        def beta = r21          ; enough: the side before has better
        def best = r22
        def ptr = r23           ; in the list of steps
        def step = r24
        def from = r25
FRAME   equ 18                  ; address of the first, and past the last, which is XL
FRAMED  equ 27

; The same registers when a position is hashed: its hash, what men there are, its number
; in the history, and a count.
HASH    equ 21
        def count = r18
        def position = r19
        def h0 = r21
        def h1 = r22
        def h2 = r23
        def h3 = r24
        def men = r25

        section vars in sram
clocks: ds 4
log:    ds 156
board:  ds 128

; ------------------------------------------------------------------------ tables
; All in the first 256 bytes, where Z is with ZH = 0.

        section tables in flash
        budget tables <= 172

origin: rjmp start
; The list of steps of each type; a type is the address of its cell.
        db low(forward), low(lines), low(leaps), low(slants), low(royal), low(royal)
        assert low(origin) == 0, "types are addresses"

; Steps, each list ended by 0; they are taken both ways. A pawn takes those only that
; are of its colour's direction.
leaps:  db 14,18,31,33,0
lines:  db 1,16,0
royal:  db 1
forward: db 16
slants: db 15,17
; Values by type; that of nothing, 0, is the end of the list above.
values: db 0, 0, 2,10,6,7,60,18

; A lone king's row or column: what it is worth to have it there. Two of them are always
; more than the kings can be apart, so a draw is worse.
edges:  db 18,13,10,9,9,10,13,18

; Rows of tic-tac-toe: first cell, step.
rows:   db 0,1, 16,1, 32,1, 0,16, 1,16, 2,16, 0,17, 2,15
rows_end:

rank:   db ROOK+UNMOVED, KNIGHT, BISHOP, KING+UNMOVED
        db QUEEN, BISHOP, KNIGHT, ROOK+UNMOVED

letters: db "  PRKBUQ"          ; by type
colours: db "XOwb"

; Keypad: the wires of rows (low half) and columns that a key pulls down. Keys * A B C D
; are not used.
keys:   db $d7                          ; 0: put back
        db $ee,$de,$be,$ed,$dd,$bd,$eb,$db,$bb
        db $b7                          ; #: to the menu
keys_end:

; Texts end with a line feed.
menu:   db "\r1 tic-tac-toe 2 chess\r\n"
asking: db "machine: 1 no 2 w 3 b 4 both 5-8 speed\r\n"
choice: db "3R 4K 5B Q\r\n"
wins:   db " wins\r\n"
tie:    db "draw"
crlf:   db "\r\n"
        align 2
        assert low($) == $ || $ == 256, "ZH is 0"

; The order matters: turns fall into draws, and these into players.
        section search in flash
        section noughts in flash
        section start_up in flash
        section ends in flash
        section turns in flash
        section draws in flash
        section players in flash
        section screen in flash
        section keypad in flash

        include "search.asm"
        include "noughts.asm"
        include "game.asm"
        include "draws.asm"
        include "players.asm"
        include "screen.asm"
        include "keys.asm"

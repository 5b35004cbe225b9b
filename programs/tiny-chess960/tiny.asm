; Tiny Chess960 on an ATtiny84
; ============================
;
; Chess for two players, or for one or none against the machine, from any of the 960
; arrays: a display of 128 by 64 pixels, two direction pads, a buzzer; the game is kept
; in the EEPROM. README.md has the rules, the controls, the wiring and the byte table.
;
; 8 MHz. No interrupts: everything is asked for.
;
; Files
;   tiny.asm    this page, names, tables
;   board.asm   set-up, making moves, castling, check
;   search.asm  the generator, legal moves, the search
;   record.asm  the EEPROM: records, replay, undo; ends of the game
;   device.asm  pads, I2C and display, sound
;   glyphs.asm  pictures and tones
;   screen.asm  board and texts
;   menu.asm    power-on, what to play
;   game.asm    turns
;
; Memory map
;   $0060-$009D  62  free
;   $009E         1  where a pawn could be taken in the position that is looked for
;   $009F         1  what men there are but kings, their types ORed
;   $00A0-$00FF  96  log: address and old byte of each square that a move changed
;   $0100-$017F 128  board, square $rf is rank r, file f (0 to 7); the holes, with bit 3
;                    set, are no squares: legal targets (`targets`), or the position
;                    that is looked for (`status`)
;   $0180-$025F 224  stack
;   EEPROM        1  players and levels; $FF: the record was begun by the seed program
;                 1  plies played
;                 2  number of the array
;               508  254 moves: bits 0 to 5 from (rank*8 + file), 6 to 11 to, 12 to 14
;                    special: 1 castling to g, 2 to c, 3 to 6 promotion, 7 none;
;                    bit 15 set: no move, the game is not longer
;
; A square is 0 when it is empty, or has the type of the piece in bits 0 to 2, and
;   bit 7  White          bit 3  Black, so SWAP turns one side into the other
;   bit 6  not moved yet: pawns that may go two, kings and rooks that may castle
; Types: pawn 1, king 2, knight 3, bishop 4, rook 5, queen 6. Bit 2 is that of those
; that slide.
;
; Register plan. ZH is 0 all the time but inside device and screen; XH is 1 on the
; board; Y is the end of the log.
;   r0       what LPM read; gain of a move, then what it is short of the bound
;   r1-r13   the game and the search, see below
;   r14 r15  the players' part
;   r16 r17  t, u: for anything; u is what a routine returns
;   r18-r26  the frame of a ply: on the stack while deeper plies run; free elsewhere

        include <avr/device.asm>

PAWN    equ 1
KING    equ 2
KNIGHT  equ 3
BISHOP  equ 4
ROOK    equ 5
QUEEN   equ 6
WHITE   equ $80
BLACK   equ $08
UNMOVED equ $40

; Values, in half pawns. NONE is below all others; TAKEN above all.
NONE    equ -45                 ; no legal move found yet
MATED   equ -43
STALE   equ 10                  ; good for the side that cannot move: the other is ahead
        assert (MATED & 1) == 1 && (STALE & 1) == 0, "status asks for it"
SOON    equ -10                 ; a greater loss is one less a ply later
TAKEN   equ 127                 ; a king can be taken

NOWHERE equ $80                 ; no square, so no pawn goes there
QUIET   equ 8
HOLE    equ 8
FULL    equ 254                 ; records that the EEPROM holds
OPENING equ 12                  ; half-moves in which the machine leaves something to chance

; The game
        def side = r2           ; WHITE or BLACK, the one to move
        def newep = r5          ; where a pawn can be taken in passing, or NOWHERE
        def half = r7           ; half-moves without capture and pawn move
        def turn = r11          ; half-moves played
        def mfrom = r8          ; a move
        def mto = r9
        def promo = r6          ; what a pawn becomes
; The search
        def seen = r1           ; bit 1: a pawn can be taken in passing
        def dep = r3            ; plies to go with all moves, less one
        def top = r10           ; dep of the first ply
        def floor = r4          ; dep at which only captures of kings count
        def nodes = r12         ; overflows of timer 0, low and high; at 0 the search ends
        def nodesh = r13
; Of a replay
        def upto = r12          ; plies to replay
        def same = r13          ; how often the position in the holes was there
PREY    equ OCR0B               ; WHITE or BLACK when that side has a king only and the
                                ; one that thinks a piece that slides, else 0
        def t = r16
        def u = r17
        def v = r18
        def w = r19
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

        section vars in sram
        ds 62
oldep:  ds 1                    ; of the position in the holes
men:    ds 1                    ; all men but kings, ORed, as `status` saw them
log:    ds 96
board:  ds 128

        section tables in flash
origin: rjmp start
        include "glyphs.asm"
; For each type, from 1, where its list of steps begins.
lists:  db low(forward), low(royal), low(leaps), low(slants), low(lines), low(royal)
; Steps, each list ended by 0; they are taken both ways. A pawn takes those only that
; are of its colour's direction.
leaps:  db 14,18,31,33,0
lines:  db 1,16,0
royal:  db 1
forward: db 16
slants: db 15,17
; Values by type; that of nothing, 0, is the end of the list above.
values: db 0, 2,60,6,7,10,18
        align 2
        assert $ <= 256, "ZH is 0"

        section search in flash
        section board_moves in flash
        section records in flash

        include "search.asm"
        include "board.asm"
        include "record.asm"

        include "device.asm"
        include "screen.asm"
        include "menu.asm"
        include "game.asm"

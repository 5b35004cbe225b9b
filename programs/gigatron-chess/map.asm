; The memory of the chess program.
;
; Almost all tables stand in columns: the low byte of an address tells the table, the
; page is the index. So a look-up costs two clocks, `ld [index],y` and `ld [y,table]`.
;
; A square is a page: $1D for a1, 10 more for each rank, 1 more for each file. A
; knight at a1 attacks nothing below page $08, one at h8 nothing above $7F, and these
; 120 pages are all that the tables of squares need. A piece is a page too, $10 to $7D,
; and so is a ply.

a1      equ $1d
h8      equ $6a
north   equ 10
east    equ 1

; ---- indexed by square -------------------------------------------------------------
; Directions are bits, and `x xor 2` is the opposite: 0 north, 1 east, 2 south, 3 west,
; 4 north-east, 5 south-east, 6 south-west, 7 north-west.

        column nb, $08, $7f, $f0        ; next occupied square or guard to the north,
        column nb1, $08, $7f, $f1       ; and in the other directions
        column nb2, $08, $7f, $f2
        column nb3, $08, $7f, $f3
        column nb4, $08, $7f, $f4
        column nb5, $08, $7f, $f5
        column nb6, $08, $7f, $f6
        column nb7, $08, $7f, $f7
        column sliderw, $08, $7f, $f8   ; directions in which white sliders come here
        column sliderb, $08, $7f, $f9   ; (the same for black: one bit of the column)
        column leaperw, $08, $7f, $fa   ; white kings, knights and pawns that attack this
        column leaperb, $08, $7f, $fb
        column rmask, $08, $7f, $fd     ; castling rights that a move here leaves
        column code, $08, $7f, $fe      ; what stands there, as people write it: `setup` tells
        column board, $08, $7f, $ff     ; piece, 0 empty, $80 guard; for `setup` also codes

guard   equ $80

; ---- indexed by piece --------------------------------------------------------------
; White pieces are even, black ones odd.

        column bit, $10, $7f, $fc       ; its bit in sets of attackers; in front of rmask
        column loc, $08, $7f            ; its square
        column next, $08, $7f           ; list of a side's pieces, king first,
        column prev, $08, $7f           ; in descending value
        column kind, $08, $7f, $d2      ; 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king
        column slides, $08, $7f         ; directions in which it slides

king    equ $10
slider1 equ $18                         ; first slots: the next is 8 pages behind; 13 for
pawn1   equ $42                         ; all that pawns can become, the first eight with a
knight1 equ $5c                         ; bit; five, each with a bit
spare1  equ slider1 + 8 * 8             ; the first slider without a bit
none    equ $80                         ; end of a list

; ---- indexed by ply ----------------------------------------------------------------

root    equ $08
last    equ $27
second  equ $20                         ; frames so far behind: of a second piece that moves
        column f_from, root, last+second        ; the move that is made here,
        column f_to, root, last+second
        column f_flag, root, last       ; and what is special about it
        column f_piece, root, last      ; the pawn that became another piece,
        column f_victim, root, last+second      ; and what it took (0 nothing)
        column f_rights, root, last     ; rights and en-passant square before it
        column f_ep, root, last

plain   equ 0                           ; values of f_flag
double  equ 1                           ; a pawn's double step
passing equ 2                           ; en passant
castle  equ 3                           ; from and to are the king's
promote equ $10                         ; and the kind

; ---- whole pages -------------------------------------------------------------------

        fullpage strip, 1               ; a set without its lowest bit
        fullpage leapidx, 2             ; lowest bit of a leaper set: white piece, of a pawn
                                        ; $82 (it stands east of what it attacks) or $80
        fullpage slidx, 3               ; lowest bit of a slider set: white piece
        fullpage dircol, 4              ; lowest direction of a set: column of nb where
                                        ; the slider stands that comes that way
        fullpage norm, 5                ; a score's low byte and a worth: low byte of the sum
        fullpage carry, 6               ; and what it carries, -1, 0 or 1

; ---- state -------------------------------------------------------------------------

; `st n,[n]` is one word, `ld n` and `st [cell]` are two: some cells stand where their number
; of the beginning is their address, as the asserts behind them say.
        section state in zero
side:   ds 1            ; 0 white, 1 black
plays:  ds 1            ; side of the machine, 2 more if it does not play: 1
owns:   ds 1            ; columns of the side to move and of the other one
dim:    ds 1            ; lines to leave out in each row of the picture: 0, or 3
skill:  ds 1            ; level of the machine, 1..8: 4
opps:   ds 1
ownl:   ds 1
oppl:   ds 1
fp:     ds 1            ; page of this ply's frame: `root`
ep:     ds 1            ; square behind a pawn that just made a double step, or 0
return: ds 1            ; page of the caller, on its way into a routine
visit.page: ds 1        ; where the generator goes with a move,
visit.low:  ds 1
captured.page: ds 1     ; with the last capture behind it,
captured.low: ds 1
rights: ds 1            ; castling: 1 white short, 2 white long, 4 and 8 black: 15
quieted.page: ds 1      ; and with the last of all moves
quieted.low: ds 1
best.from: ds 1         ; the move found
best.to: ds 1
best.flag: ds 1
stop:   ds 1            ; not 0: end the search soon
frames: ds 1            ; counts the frames of the picture
led:    ds 1            ; LEDs, in bits 0 to 3
        assert plays == 1 && skill == 4 && fp == root && rights == 15, "cells at their numbers"
        ifdef HOST              ; in builds for hosts and tests only
        section host.cells in zero
        org $e0
command: ds 1           ; what a host asks for: 1 set-up, 2 perft, 3 think; 0 when done
rules:  ds 1            ; 1 en passant, 2 castling, 4 under-promotion
depth:  ds 1            ; plies of perft
count:  ds 4            ; its leaves, low byte first
        endif

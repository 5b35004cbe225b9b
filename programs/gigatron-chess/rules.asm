; What the rules say about the game: which moves are legal, and when it is over.
;
; The move generator is asked at the root; each move it offers is made, and taken back,
; to see if the king may be taken then.

; Positions since the last capture or pawn move: a column for each, the oldest first,
; with the codes of the squares a1 to h8, the guards between, and behind them the rights.
MOST    equ 100                 ; moves of both sides without one: a draw
        reserve pastpositions, a1, h8 + 1, 0, MOST - 1

        section rules.cells in zero
want.flag: ds 1         ; of the move that is asked for, 0 for any
same    equ exposed     ; positions that are the same, from 0 on

; A move that a search has found is one that is asked for, and allowed.
want.from equ best.from ; the move that is asked for, 0 for any
want.to equ best.to
allowed equ best.flag   ; the flag of the move that there is

        section rules in rom within=256

; ----------------------------------------------------------------------------- legal
; Looks for a legal move in the position on the board.
;   in   fp = root; want.from 0, or with want.to the squares of a move; want.flag 0, or
;        its flag
;   out  exposed 0 if there is one; allowed = its flag, if one was asked for
;   uses AC, X, Y, all cells of the generator, make and unmake, and the root's frame

legal:  enter(quieted)          ; with no move left the generator itself goes back
        ld hi(offered)
        st [visit.page]
        ld low(offered)
        st [visit.low]
        st [exposed]            ; (a number that is not 0)
        ld hi(quiets)           ; behind the captures come the others
        st [captured.page]
        ld low(quiets)
        ld hi(captures),y
        jmp y,captures
        st [captured.low]       ; (slot)

; The generator offers a move.
offered: sync
        ld root,y
        ld [want.from]
        beq .this               ; any will do
        xora [y,f_from]         ; (slot)
        bne .other
        ld [want.to]            ; (slot)
        xora [y,f_to]
        bne .other
        ld [want.flag]          ; (slot)
        beq .this
        xora [y,f_flag]         ; (slot) (AC was 0: the flag)
        bne .other
        ld [y,f_flag]           ; (slot)
.this:  st [allowed]
        call(make)
        sync
        call(unmake)
        sync
        ld [exposed]
        bne .other
        ld [quieted.page],y     ; (slot) found
        targets sync
        jmp y,[quieted.low]     ; (the slot is the next word)
.other: goto resume

; ---------------------------------------------------------------------------- before
; Jumped to by the search when a move of the root is made. Has the game had this position
; before? Then it is a draw: who is better goes other ways, who is worse comes back. It is
; one before if what moved stands where it goes to, and all other squares but the one it
; leaves are as now.
;   in   since, pastpositions, column `code` as before the move, the root's frame
;   out  goes on at `known` with a draw in score, or at `rooted` with the node
;   uses AC, X, Y, sq, older, spot, source, moved; clocks: 30, and 17 for each position
before: sync
        ld root,y
        ld [y,f_to]
        st [spot]
        ld [y,f_from]
        st [source],y
        ld [y,code]
        st [moved]
        ld [since]
        adda 1
        st [older]
.older: ld [older]              ; with the same side to move
        suba 2
        blt .new
        st [older]              ; (slot)
        sync
        ld [older],x
        ld [spot],y
        ld [y,x]
        xora [moved]
        bne .older
        ld a1                   ; (slot)
.square: st [sq]
        sync
        ld [sq],y
        ld [older],x
        ld [y,x]
        xora [y,code]
        beq .like
        ld [sq]                 ; (slot)
        xora [spot]
        beq .like
        ld [sq]                 ; (slot)
        xora [source]
        bne .older
        ld [sq]                 ; (slot)
.like:  suba h8 + 1             ; behind the squares the rights
        bne .square
        adda h8 + 2             ; (slot)
        ld drawl
        st [score.low]
        ld drawh
        ld hi(known),y
        jmp y,known
        st [score.high]         ; (slot)
.new:   ld hi(rooted),y
        jmp y,rooted
        nop
        stubs

        section judge in rom within=256

; ---------------------------------------------------------------------------- judge
; Sets up the position on the board, tells if the game is over, and notes the position
; if it is not. Jumped to; goes to `redraw`.
;   in   board, side, rights, ep; since; came not 0 if a move led here
;   out  message: in the upper half if no move may follow; THINKS if a move led here and
;        the machine is to answer; choice, chosen = 0; command = 0 if no move led here
;   uses as `setup` and `legal`

judge:  sync
        ld 0
        st [choice]
        st [want.from]
        call(setup)
        sync
        ld h8 + 1,y             ; so that they are compared as squares are
        ld [rights]
        ora guard
        st [y,code]
        call(legal)
        sync
        ld [side]               ; is the king attacked?
        ora king,y
        ld [y,loc]
        ld ac,y
        ld [opps],x
        ld [y,x]
        ld [oppl],x
        ora [y,x]
        beq .calm
        ld NOTHING              ; (slot)
        ld CHECKS
.calm:  st [message]
        sync
        ld [exposed]
        beq .some
        ld [message]            ; (slot) no move: mated, or a draw
        bra .over
        adda MATED - CHECKS     ; (slot)
.some:  sync
        ld [since]
        anda $7f                ; so that it is a column of a position, whatever comes
        st [since]
        suba MOST
        bge .drawn

; A king alone against a king, or against one with a knight or a bishop: one of the
; lists ends behind the king, at the other one stands at most such a piece.
        ld king,y               ; (slot)
        ld [y,next]
        ld king ^ 1,y
        ora [y,next]
        bge .enough
        anda $ff ^ none         ; (slot)
        beq .drawn
        ld ac,y                 ; (slot)
        ld [y,next]
        xora none               ; it is the last one,
        st [t]
        ld [y,kind]
        anda $fe                ; knight or bishop
        xora 2
        ora [t]
        beq .drawn

; The same position for the third time? Those with the same side to move are looked at,
; from the latest on, which is this one: it is noted, and found to be the same.
.enough: ld [since]             ; (slot)
.older: st [older]
        ld a1
.square: st [sq]
        sync
        ld [sq],y
        ld [since],x
        ld [y,code]
        st [y,x]
        ld [older],x
        xora [y,x]
        bne .next
        ld [sq]                 ; (slot)
        suba h8 + 1
        bne .square
        adda h8 + 2             ; (slot)
        ld [same]
        adda 1
        st [same]
        xora 3
        beq .drawn
.next:  ld [older]              ; (slot)
        suba 2
        bge .older
        nop
        bra .done
        nop
.drawn: ld DRAWN
.over:  st [message]
.done:  sync
        ld [came]
        ifdef HOST
        bne .moved
        nop
        st [command]            ; what a host wished is done
.moved:
        endif
        beq .shown
        ld [message]            ; (slot)
        blt .shown
        ld [side]               ; (slot)
        xora [plays]
        bne .shown
        ld THINKS               ; (slot)
        st [message]
.shown: goto redraw
        stubs

; What the rules say about the game: which moves are legal, and when it is over.
;
; The move generator is asked at the root; each move it offers is made, and taken back,
; to see if the king may be taken then.

; Positions since the last capture or pawn move, the oldest in page `first.past`: from
; column `past` on the codes of the squares a1 to h8, with the guards between, and the rights.
past    equ $30
MOST    equ 100                 ; moves of both sides without one: a draw
first.past equ $08
        reserve pastpositions, first.past, first.past + MOST, past, past + h8 - a1 + 1

        section rules.cells in zero
want.flag: ds 1         ; of the move that is asked for, 0 for any
allows: ds 1            ; not 0: there is such a move
since:  ds 1            ; moves since the last capture or pawn move
older:  ds 1            ; page of a position before
legal.low: ds 1
legal.page: ds 1

; A move that a search has found is one that is asked for, and allowed.
want.from equ best.from ; the move that is asked for, 0 for any
want.to equ best.to
allowed equ best.flag   ; the flag of the move that there is

        section rules in rom within=256

; ----------------------------------------------------------------------------- legal
; Looks for a legal move in the position on the board.
;   in   want.from 0, or with want.to the squares of a move; want.flag 0, or its flag
;   out  AC and allows not 0 if there is one; allowed = its flag; fp = root
;   uses AC, X, Y, all cells of the generator, make and unmake, and the root's frame

legal:  enter(legal)
        ld root
        st [fp]
        ld 0
        st [allows]
        ld hi(offered)
        st [visit.page]
        ld low(offered)
        st [visit.low]
        ld hi(nocapture)
        st [captured.page]
        ld low(nocapture)
        st [captured.low]
        ld hi(nomove)
        st [quieted.page]
        ld low(nomove)
        st [quieted.low]
        ld hi(captures),y
        jmp y,captures
        nop

nocapture:
        sync
        ld hi(quiets),y
        jmp y,quiets
        nop

; The generator offers a move.
offered: sync
        ld [fp],y
        ld [want.from]
        beq .this               ; any will do
        xora [y,f_from]
        bne .other
        ld [want.to]
        xora [y,f_to]
        bne .other
        ld [want.flag]
        beq .this
        xora [y,f_flag]
        bne .other
        nop
.this:  ld [y,f_flag]
        st [allowed]
        call(make)
        sync
        ld [exposed]
        st [allows]
        call(unmake)
        sync
        ld [allows]
        bne .other
        ld 1
        bra nomove              ; found
        st [allows]
.other: sync
        ld 0
        st [allows]
        ld hi(resume),y
        jmp y,resume
        nop

nomove: sync
        leave(legal)
        stubs

        section judge in rom within=256

; ---------------------------------------------------------------------------- judge
; Sets up the position on the board, tells if the game is over, and notes the position
; if it is not. Jumped to; goes to `machine` if a move led here and the machine is to
; answer, else to `redraw`.
;   in   `code`, side, rights, ep; since; came not 0 if a move led here
;   out  message; final not 0 if no move may follow; choice, chosen = 0; command = 0 if no
;        move led here
;   uses as `setup` and `legal`, and want.flag

judge:  sync
        call(setup)
        sync
        ld NOTHING
        st [message]
        ld 0
        st [final]
        st [choice]
        st [chosen]

; Is there a move at all?
        st [want.flag]
        st [want.from]
        call(legal)
        sync
        ld king
        adda [side],y
        ld [y,loc]
        ld ac,y
        ld [opps],x
        ld [y,x]
        ld [oppl],x
        ora [y,x]
        beq .calm               ; the king is not attacked
        ld CHECKS
        st [message]
.calm:  ld [allows]
        bne .some
        ld [message]
        suba CHECKS
        bne .drawn
        ld MATED
        bra .over
        nop
.some:  ld [since]
        adda first.past
        st [older]
        suba first.past + MOST
        bge .drawn
        nop

; A king alone against a king, or against one with a knight or a bishop: 1 for each
; such piece, 2 for all that is more.
        ld 0
        st [t]
        ld king
.side:  st [sp]
        sync
        ld [sp],y
        ld [y,next]
        blt .bare
        ld ac,y
        ld [y,next]
        bge .more
        ld [y,kind]
        suba 4
        bge .more               ; rook or queen
        adda 4 - 2
        bge .minor              ; knight or bishop
        ld 1
.more:  ld 2
.minor: adda [t]
        st [t]
.bare:  ld [sp]
        xora king ^ 1
        bne .side
        ld king ^ 1
        ld [t]
        suba 2
        blt .drawn
        nop

; The same position for the third time? Those with the same side to move are looked at,
; from the latest on, which is this one: it is noted, and found to be the same.
        ld 3
        st [want.flag]          ; so many are needed
        ld a1
.same:  st [sq]
        sync
        ld [sq],y
        ld [y,code]
        st [t]
        ld [sq]
        suba h8 + 1             ; behind the squares the rights
        bne .square
        ld [rights]
        st [t]
.square: ld [sq]
        adda low(past - a1),x
        ld [older],y
        ld [want.flag]
        suba 3
        bne .noted
        ld [t]
        st [y,x]
.noted: ld [t]
        xora [y,x]
        bne .next
        ld [sq]
        suba h8 + 1
        bne .same
        adda h8 + 2
        ld [want.flag]
        suba 1
        beq .drawn
        st [want.flag]
.next:  sync
        ld [older]
        suba 2
        st [older]
        suba first.past
        bge .same
        ld a1
        bra .done
        nop
.drawn: ld DRAWN
.over:  st [message]
        ld 1
        st [final]
.done:  sync
        ld [came]
        ifdef HOST
        bne .moved
        nop
        st [command]            ; what a host wished is done
.moved:
        endif
        beq .shown
        ld [final]              ; (slot)
        bne .shown
        ld [side]               ; (slot)
        xora [plays]
        bne .shown
        nop
        goto machine
.shown: goto redraw
        stubs

; The game: a cursor, moves by hand, moves of the machine.
;
;   arrows          move the cursor; held down they repeat
;   A               takes a piece, and puts it where the cursor is
;   B               lets go of it; ends the machine's thinking: it makes the best move
;                   that it has found
;   Start           the machine moves for the side to move, and plays that side from
;                   now on
;   Select          the next level
;   B and Start     a new game
;   B and Select    the machine plays no side, or again the other one
;
; A keyboard does as well: Enter or space for A, Escape for B, s Start, l Select, n a new
; game, p the machine plays no side.
;
; When a pawn is to promote the row of messages shows four pieces: left and right
; choose, A takes, B puts the pawn back.

ENTER   equ 10          ; codes of keys
SPACE   equ 32
ESCAPE  equ 27
WAIT    equ 20          ; frames until an arrow repeats,
PACE    equ 5           ; and from then on

; Rings. 4 words and clocks; AC.
macro beep(pitch, time)
        ld pitch
        st [tone]
        ld time
        st [ring]
endm

        section game in rom within=256

; Entered when the video runs.
main:   sync
        ld 4
        st [skill]
        ld 1
        st [plays]
        goto newgame

loop:   sync
        ld RISE - 1
        st [bright]
        ld [command]
        bne tohost
        ld [frames]
        xora [seen]
        beq loop
        xora [seen]
        st [seen]
        ; An arrow that is held repeats.
        ld [pad]
        anda UP + DOWN + LEFT + RIGHT
        beq .still
        ld 0
        ld [held]
        adda 1
.still: st [held]
        suba WAIT
        blt .fresh
        nop
        sync
        ld WAIT - PACE
        st [held]
        ld [pad]
        anda UP + DOWN + LEFT + RIGHT
        ora [pressed]
        st [pressed]
.fresh: ld [pressed]
        beq loop
        st [keys]
        ld 0
        st [pressed]
        ld [keys]
        bge .buttons
        xora BUTTONA
        bne typed               ; A and others: a code
        nop
.buttons: goto dispatch
tohost: goto host

; A keyboard's code is a pad with many buttons down, A among them. What it stands for:
typed:  sync
        ld [keys]
        xora $ff ^ ENTER
        beq .a
        xora ENTER ^ SPACE
        beq .a
        xora SPACE ^ ESCAPE
        beq .b
        xora ESCAPE ^ 's'
        beq .start
        xora 's' ^ 'l'
        beq .select
        xora 'l' ^ 'n'
        beq .new
        xora 'n' ^ 'p'
        bne loop
        nop
        goto dispatch.sides
.new:   goto newgame
.a:     bra .button
        ld BUTTONA
.b:     bra .button
        ld BUTTONB
.start: bra .button
        ld START
.select: ld SELECT
.button: st [keys]
        goto dispatch
        stubs

        section steer in rom within=256

; Buttons. Arrows move the cursor, if that is on the board, or the choice of a piece for
; a pawn on its last step.
dispatch: sync
        ld [keys]
        anda UP + DOWN + LEFT + RIGHT
        adda low(.steps)
        bra ac                  ; one word of the list,
        slot bra .step          ; and from there
.steps: ld 0
        ld east
        ld -east                ; left
        ld 0
        ld -north               ; down
        ld east - north
        ld -east - north
        ld -north
        ld north                ; up
        ld east + north
        ld -east + north
        ld north
        ld 0
        ld east
        ld -east
        ld 0
.step:  st [t]
        ld [choice]
        beq .cursor
        suba [t]                ; to the left are the better ones
        st [t]
        suba 2                  ; 2 to 5
        anda $fc
        bne .off
        ld [t]
        bra .off
        st [choice]
.cursor: ld [t]
        adda [cursor]
        st [t],y
        ld [y,board]
        blt .off
        ld [t]
        st [cursor]
.off:   sync
        ld [keys]
        blt .press              ; A
        anda BUTTONB
        bne .cancel
        ld [keys]
        anda START
        bne .start
        ld [keys]
        anda SELECT
        beq .shown
        ld [pad]
        anda BUTTONB
        bne .sides
        ld [skill]              ; the next level
        anda 7
        adda 1
        bra .shown
        st [skill]
.press: goto press
.cancel: ld 0
        st [choice]
        bra .shown
        st [chosen]
.sides: ld [side]               ; the machine plays no side, or the other one
        xora 1
        st [t]
        ld [plays]
        blt .plays
        ld [t]
        ld -1
.plays: bra .shown
        st [plays]
.start: ld [pad]
        anda BUTTONB
        bne .new
        nop
        goto start
.new:   goto newgame
.shown: goto redraw
        stubs

        section moves in rom within=256

; The button A on a square.
press:  sync
        ld [choice]
        bne asked               ; which piece a pawn becomes is chosen
        adda promote
        ld [final]
        bne toredraw
        ld [cursor]
        ld ac,y
        ld [y,board]
        beq .put
        anda 1
        xora [side]
        bne .put
        nop
        ld [cursor]             ; an own piece is taken, or let go
        xora [chosen]
        beq .drop
        ld 0
        ld [cursor]
.drop:  st [chosen]
        beep(24, 2)
        bra toredraw
        nop
.put:   sync
        ld [chosen]
        beq toredraw
        st [want.from]
        ld [cursor]
        st [want.to]
        ld 0
asked:  st [want.flag]
        call(legal)
        sync
        ld [allows]
        beq .illegal
        ld [choice]
        bne toplay
        ld [allowed]
        suba promote
        blt toplay
        ld 5                    ; a queen, unless the user wants another piece
        bra toredraw
        st [choice]
.illegal: beep(3, 12)
        ld 0
        st [choice]
toredraw: goto redraw
toplay: goto play
        stubs

        section playing in rom within=256

; Makes the move from want.from to want.to with the flag `allowed`, which is legal, and
; lets the machine answer if it is its turn.
play:   sync
        ld [want.from],y
        ld [y,board]
        ld ac,y
        ld [y,kind]
        suba 1
        beq .anew               ; a pawn
        ld [want.to],y
        ld [y,board]
        bne .anew               ; a capture
        ld [since]
        bra .count
        adda 1
.anew:  ld 0
.count: st [since]
        sync
        beep(12, 4)
        ld 0
        st [choice]
        st [chosen]
        ld root
        st [fp],y
        ld [want.from]
        st [came]
        st [y,f_from]
        ld [want.to]
        st [went]
        st [y,f_to]
        ld [allowed]
        st [y,f_flag]
        call(make)
        sync
        call(encode)
        sync
        goto judge

; Start: the machine moves for the side to move, and plays it from now on.
start:  sync
        ld [final]
        bne .over
        ld [side]
        bra machine
        st [plays]
.over:  goto redraw

; The machine moves.
machine: sync
        ld [cursor]
        st [waits]
        ld 0
        st [cursor]
        st [chosen]
        st [choice]
        ld THINKS
        st [message]
        goto redraw

; The screen says so.
thinks: sync
; Levels 1 to 3 look so many plies ahead, those above think 2, 4, 8, 16, 32 seconds.
        ld 0
        st [budget]
        st [budget + 1]
        ld [skill]
        suba 4
        bge .time
        ld 0
        ld [skill]
.time:  st [deepest]
        ld [skill]
        adda low(.levels) - 1
        bra ac                  ; one word of the list,
        slot bra .level         ; and from there
.levels: repeat 3
        ld 0
        endr
        ld 2
        ld 4
        ld 8
        ld 16
        ld 32
.level: st [level]
        sync
        ld 0
        st [bright]
        st [stop]
        call(think)
        sync
        ld 0
        st [pressed]
        ld [waits]
        st [cursor]
        ld [best.from]
        st [want.from]
        ld [best.to]
        st [want.to]
        ld [best.flag]
        bra play
        st [allowed]
        stubs

        section host in rom within=256

; A host wants something: a position from the column `code`, perft, or a move.
host:   sync
        ld 0
        st [bright]
        ld [command]
        suba 2
        beq .perft
        nop
        blt given
        nop
        call(think)
        sync
        bra .done
        nop
.perft:
        ifdef HOST
        call(perft)
        endif
.done:  sync
        ld 0
        st [command]
        goto redraw

; Sets the pieces up for a new game, the cursor on the king's pawn.
newgame: sync
        ld $08
.clear: st [sq]
        sync
        ld [sq],y
        ld guard
        st [y,code]
        ld [sq]
        adda 1
        bge .clear
        nop
        ld a1
.file:  st [sq]
        sync
        ld [sq]
        adda low(.pieces) - a1
        bra ac                  ; one word of the list,
        slot bra .piece         ; and from there
.pieces: ld 4
        ld 2
        ld 3
        ld 5
        ld 6
        ld 3
        ld 2
        ld 4
.piece: ld [sq],y
        st [y,code]
        adda 8
        st [t]
        ld [sq]
        adda 7 * north,y
        ld [t]
        st [y,code]
        ld [sq]
        adda north,y
        ld 1
        st [y,code]
        ld [sq]
        adda 6 * north,y
        ld 1 + 8
        st [y,code]
        sync
        repeat 4, i
        ld [sq]
        adda (2 + i) * north,y
        ld 0
        st [y,code]
        endr
        ld [sq]
        suba a1 + 7 * east
        bne .file
        adda a1 + 8 * east
        ld 0
        st [side]
        st [ep]
        ld 15
        st [rights]
        ifdef HOST
        ld 7
        st [rules]
        endif
        ld a1 + 4 * east + north
        st [cursor]

; A position that no move of the game led to.
given: sync
        ld 0
        st [since]
        st [chosen]
        st [choice]
        st [came]
        st [went]
        goto judge
        stubs

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

        column seen, GAME, GAME         ; frame of the last look at the buttons
        column keys, GAME, GAME         ; buttons that went down
        column held, GAME, GAME         ; frames that an arrow is down
        column plays, GAME, GAME        ; side of the machine, -1 none
        column waits, GAME, GAME        ; the cursor, while the machine thinks

; Goes far. 3 words and clocks; Y.
macro goto(place)
        ld hi(place),y
        jmp y,place
        nop
endm

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
        ld GAME,y
        ld 4
        st [y,skill]
        ld 1
        st [y,plays]
        goto newgame

; Something changed: shows it.
redraw: sync
        call(paint)

loop:   sync
        ld GAME,y
        ld 1
        st [bright]
        ld [command]
        bne tohost
        ld [frames]
        xora [y,seen]
        beq loop
        xora [y,seen]
        st [y,seen]
        ; An arrow that is held repeats.
        ld [pad]
        anda UP + DOWN + LEFT + RIGHT
        beq .still
        ld 0
        ld [y,held]
        adda 1
.still: st [y,held]
        suba WAIT
        blt .fresh
        nop
        sync
        ld GAME,y
        ld WAIT - PACE
        st [y,held]
        ld [pad]
        anda UP + DOWN + LEFT + RIGHT
        ora [pressed]
        st [pressed]
.fresh:
        ld GAME,y
        ld [pressed]
        beq loop
        st [y,keys]
        ld 0
        st [pressed]
        ld [y,keys]
        bge dispatch
        xora BUTTONA
        bne typed               ; A and others: a code
        nop
dispatch: sync
        ld GAME,y
        ld [y,choice]
        bne .choosing
        nop
        goto steer
.choosing: goto choosing
tohost: goto host

; A keyboard's code is a pad with many buttons down, A among them. What it stands for:
typed:  sync
        ld GAME,y
        ld [y,keys]
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
        goto steer.sides
.new:   goto newgame
.a:     bra .button
        ld BUTTONA
.b:     bra .button
        ld BUTTONB
.start: bra .button
        ld START
.select: ld SELECT
.button: bra dispatch
        st [y,keys]
        stubs

        section steer in rom within=256

; The cursor goes where the arrows point, if that is on the board.
steer:  sync
        ld GAME,y
        ld [y,keys]
        anda RIGHT              ; 1, as is a step to the east
        adda [y,cursor]
        st [t]
        ld [y,keys]
        anda UP
        beq .noup
        ld [t]
        adda north
.noup:  st [t]
        ld GAME,y
        ld [y,keys]
        anda DOWN
        beq .nodown
        ld [t]
        suba north
.nodown: st [t]
        ld [y,keys]
        anda LEFT
        beq .noleft
        ld [t]
        suba east
.noleft: st [t],y
        ld [y,board]
        blt .off
        ld GAME,y
        ld [t]
        st [y,cursor]
.off:   sync
        ld GAME,y
        ld [y,keys]
        anda BUTTONA
        bne .press
        ld [y,keys]
        anda BUTTONB
        bne .cancel
        ld [y,keys]
        anda START
        bne .start
        ld [y,keys]
        anda SELECT
        beq .shown
        ld [pad]
        anda BUTTONB
        bne .sides
        ld [y,skill]            ; the next level
        anda 7
        adda 1
        bra .shown
        st [y,skill]
.press: goto press
.cancel: ld 0
        bra .shown
        st [y,chosen]
.sides:
        ld GAME,y
        ld [side]
        xora 1
        st [t]
        ld [y,plays]
        blt .plays
        ld [t]
        ld -1
.plays: bra .shown
        st [y,plays]
.start:
        ld [pad]
        anda BUTTONB
        bne .new
        nop
        goto start
.new:   goto newgame
.shown:
        goto redraw
        stubs

        section moves in rom within=256

; A pawn is on its last step: which piece will it be?
choosing: sync
        ld GAME,y
        ld [y,keys]
        anda LEFT
        beq .leftmost
        ld [y,choice]
        suba 5
        beq .leftmost
        adda 5
        adda 1
.leftmost: st [y,choice]
        ld [y,keys]
        anda RIGHT
        beq .rightmost
        ld [y,choice]
        suba 2
        beq .rightmost
        adda 2
        suba 1
.rightmost: st [y,choice]
        ld GAME,y
        ld [y,keys]
        anda BUTTONA
        bne .this
        ld [y,keys]
        anda BUTTONB
        beq toredraw
        ld 0
        st [y,choice]
        bra toredraw
        st [y,chosen]
.this:  ld [y,choice]
        adda promote
        bra asked
        st [want.flag]

; The button A on a square.
press:  sync
        ld GAME,y
        ld [y,final]
        bne toredraw
        ld [y,cursor]
        ld ac,y
        ld [y,board]
        beq .put
        anda 1
        xora [side]
        bne .put
        nop
        ld GAME,y
        ld [y,cursor]
        xora [y,chosen]
        beq .drop
        ld 0
        ld [y,cursor]
.drop:  st [y,chosen]
        beep(24, 2)
        bra toredraw
        nop
.put:
        ld GAME,y
        ld [y,chosen]
        beq toredraw
        st [want.from]
        ld [y,cursor]
        st [want.to]
        ld 0
        st [want.flag]
asked:  sync
        call(legal)
        sync
        ld GAME,y
        ld [allows]
        beq .illegal
        ld [y,choice]
        bne toplay
        ld [allowed]
        suba promote
        blt toplay
        ld 5                    ; a queen, unless the user wants another piece
        bra toredraw
        st [y,choice]
.illegal: beep(3, 12)
        ld 0
        st [y,choice]
toredraw:
        goto redraw
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
        ld GAME,y
        ld [y,since]
        adda 1
        bra .count
        nop
.anew:  ld GAME,y
        ld 0
.count: st [y,since]
        ld GAME,y
        ld 0
        st [y,choice]
        st [y,chosen]
        ld [want.from]
        st [y,came]
        ld [want.to]
        st [y,went]
        ld root
        st [fp],y
        ld [want.from]
        st [y,f_from]
        ld [want.to]
        st [y,f_to]
        ld [allowed]
        st [y,f_flag]
        sync
        call(make)
        sync
        call(encode)
        sync
        call(setup)
        sync
        call(judge)
        sync
        beep(12, 4)
        ld GAME,y
        ld [y,final]
        bne .shown
        ld [side]
        xora [y,plays]
        bne .shown
        nop
        goto machine
.shown: goto redraw
        stubs

        section thinking in rom within=256

; Start: the machine moves for the side to move, and plays it from now on.
start:  sync
        ld GAME,y
        ld [y,final]
        bne .over
        ld [side]
        bra machine
        st [y,plays]
.over:  goto redraw

; The machine moves.
machine: sync
        ld GAME,y
        ld [y,cursor]
        st [y,waits]
        ld 0
        st [y,cursor]
        st [y,chosen]
        ld THINKS
        st [y,message]
        call(paint)
        sync
; Levels 1 to 3 look so many plies ahead, those above think 2, 4, 8, 16, 32 seconds.
        ld 0
        st [deepest]
        st [budget]
        st [budget + 1]
        ld GAME,y
        ld [y,skill]
        suba 4
        bge .time
        st [t]
        adda 4
        st [deepest]
        ld 0
        bra .level
        nop
.time:  ld 2
.twice: st [level]
        sync
        ld [t]
        suba 1
        st [t]
        blt .think
        ld [level]
        bra .twice
        adda ac
.level: st [level]
.think:
        ld 0
        st [bright]
        st [stop]
        call(think)
        sync
        ld GAME,y
        ld 0
        st [pressed]
        ld [y,waits]
        st [y,cursor]
        ld [best.from]
        st [want.from]
        ld [best.to]
        st [want.to]
        ld [best.flag]
        st [allowed]
        goto play
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
        blt .setup
        nop
        call(think)
        sync
        bra .done
        nop
.perft: call(perft)
        sync
        bra .done
        nop
.setup:
        ld GAME,y
        ld 0
        st [y,since]
        st [y,chosen]
        st [y,choice]
        st [y,came]
        st [y,went]
        call(setup)
        sync
        call(judge)
        sync
.done:  sync
        ld 0
        st [command]
        goto redraw
        stubs

        section newgame in rom within=256

; Sets the pieces up for a new game, the cursor on the king's pawn.
newgame: sync
        ld $08
.guard: st [sq]
        sync
        ld [sq],y
        ld guard
        st [y,code]
        ld [sq]
        adda 1
        bge .guard
        nop
        ld a1
.file:  st [sq]
        sync
        ld [sq]
        adda north
        st [t],y
        ld 1                    ; a white pawn, four empty squares, a black one
        st [y,code]
        repeat 4
        ld [t]
        adda north
        st [t],y
        ld 0
        st [y,code]
        endr
        ld [t]
        adda north
        st [t],y
        ld 1 + 8
        st [y,code]
        ld [sq]
        suba a1 + 7 * east
        bne .file
        adda a1 + 8 * east
        sync
file    set a1
        foreach piece, 4, 2, 3, 5, 6, 3, 2, 4
        ld file,y
        ld piece
        st [y,code]
        ld file + 7 * north,y
        ld piece + 8
        st [y,code]
file    set file + east
        if file == a1 + 4
        sync
        endif
        endr
        sync
        ld GAME,y
        ld 0
        st [side]
        st [ep]
        st [y,since]
        st [y,chosen]
        st [y,choice]
        st [y,came]
        st [y,went]
        ld 15
        st [rights]
        ld 7
        st [rules]
        ld a1 + 4 * east + north
        st [y,cursor]
        call(setup)
        sync
        call(judge)
        sync
        goto redraw
        stubs

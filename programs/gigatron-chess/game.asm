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
;   B and Select    the machine plays no side, or again its own
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

        section game in rom within=256

; What is on the screen is right: what do the buttons say?
loop:   sync
        ifdef HOST
        ld [command]
        bne .host
        endif
        ; An arrow that is held repeats when it is time.
        ld [pad]
        ora $ff - UP - DOWN - LEFT - RIGHT
        xora $ff
        st [keys]
        beq .hold
        ld WAIT                 ; (slot)
        ld [frames]
        suba [held]
        blt .fresh
        ld [keys]               ; (slot)
        ora [pressed]
        st [pressed]
        ld PACE
.hold:  adda [frames]
        st [held]
.fresh: ld [pressed]
        beq loop
        st [keys]               ; (slot)
        ld 0
        st [pressed]

; Bit for bit from A to the arrows. The first one that is there counts.
        sync
        ld [keys]
        blt .typed              ; A
        adda ac                 ; (slots, up to LEFT)
        blt .cancel             ; B
        adda ac                 ; (slot)
        blt .select
        adda ac                 ; (slot)
        blt .start
        adda ac                 ; (slot)
        blt .up
        adda ac                 ; (slot)
        blt .down
        adda ac                 ; (slot)
        blt .left
        ld east                 ; (slot) it was RIGHT

; Arrows move the cursor, if that is on the board, or the choice of a piece for a pawn
; on its last step. AC = step.
.step:  st [t]
        sync
        ld [choice]
        beq .cursor
        suba [t]                ; (slot) to the left are the better ones
        st [t]
        suba 2                  ; 2 to 5
        anda $fc
        bne .redraw
        ld [t]                  ; (slot)
        bra .redraw
        st [choice]             ; (slot)
.cursor: ld [t]
        adda [cursor],y
        ld [y,board]
        blt .redraw
        ld [t]                  ; (slot)
        adda [cursor]
        bra .redraw
        st [cursor]             ; (slot)
.up:    bra .step
        ld north                ; (slot)
.down:  bra .step
        ld -north               ; (slot)
.left:  bra .step
        ld -east                ; (slot)

.start: ld [pad]
        anda BUTTONB
        beq .new
.go:    ld [message]            ; (slot) the machine moves for the side to move,
        blt .redraw
        ld [side]               ; (slot)
        st [plays]              ; plays it from now on,
; and does so when the screen says it, at `thinks`.
        ld THINKS
        bra .cancel
        st [message]            ; (slot)

.select: ld [pad]
        anda BUTTONB
        beq .sides
.level: ld [skill]              ; (slot) the next level
        anda 7
        adda 1
        bra .redraw
        st [skill]              ; (slot)

; A keyboard's code is a pad with many buttons down, A among them. AC = twice of that:
; 0 for the button alone, which is Delete, and that is the first of these.
.typed: beq .press
        xora $fe ^ 2 * 'n'      ; (slots, up to the last one)
        beq .new
        xora 2 * ('n' ^ ENTER)  ; (slot)
        beq .press
        xora 2 * (ENTER ^ SPACE) ; (slot)
        beq .press
        xora 2 * (SPACE ^ ESCAPE) ; (slot)
        beq .cancel
        xora 2 * (ESCAPE ^ 's') ; (slot)
        beq .go
        xora 2 * ('s' ^ 'l')    ; (slot)
        beq .level
        xora 2 * ('l' ^ 'p')    ; (slot)
        bne .redraw
.sides: ld [plays]              ; (slot) the machine plays no side, or again its own
        xora 2
        bra .redraw
        st [plays]              ; (slot)

; Nothing is chosen.
.cancel: sync
        ld 0
        st [choice]
        st [chosen]
.redraw: sync                   ; (how long they took ends here)
        goto redraw
.new:   sync
        goto newgame
.press: goto press
        ifdef HOST
.host:  goto host
        endif
        stubs

        section press in rom within=256

; The button A on a square.
press:  sync
        ld [choice]
        bne .asked              ; which piece a pawn becomes is chosen
        adda promote            ; (slot)
        ld [message]
        blt .redraw             ; the game is over
        ld [cursor],y           ; (slot)
        ld [y,board]
        beq .put
        anda 1                  ; (slot)
        xora [side]
        bne .put
        ld [cursor]             ; (slot)
        xora [chosen]
        beq .taken              ; an own piece is let go,
        ld 0                    ; (slot)
        ld [cursor]             ; or taken
.taken: st [chosen]
        bra .ring
        ld 3                    ; (slot)
.put:   sync
        ld [chosen]
        beq .redraw
        ld [cursor]             ; (slot)
        st [want.to]
        ld 0
.asked: st [want.flag]
        call(legal)
        sync
        ld [exposed]
        bne .ring
        ld 14                   ; (slot)
        ld [choice]
        bne .play
        ld [allowed]            ; (slot)
        suba promote
        blt .play
        ld 5                    ; (slot) a queen, unless the user wants another piece
        bra .redraw
        st [choice]             ; (slot)
        ifdef HOST
.play:  goto play
        else
.play:  bra play
        nop
        endif

; AC = pitch of a sound, and how many frames it is heard.
.ring:  st [tone]
        adda [frames]
        st [ring]
.redraw: goto redraw
        ifdef HOST              ; with what hosts ask for that is more than a page
        stubs
        section playing in rom within=256
        endif

; The screen says that the machine thinks. Levels 1 to 3 look so many plies ahead, those
; above think 2, 4, 8, 16 or 32 times 64 frames at most, each of them 1.07 seconds.
thinks: sync
        st RISE - 1,[dim]
        ifdef HOST
        ld 0
        st [budget]
        st [budget + 1]
        endif
        ld [skill]
        st [deepest]
        suba 4
        blt .level
        ld 0                    ; (slot)
        st [deepest]
        ld [skill]
        adda first.d - 3,y
        ld [y,dirbit]           ; twice as long for each level
.level: st [level]
        call(think)
        sync
        ld 0
        st [pressed]            ; nobody listened
        st [dim]

; Makes the move from want.from to want.to with the flag `allowed`, which is legal; what
; it leads to, and whether the machine is to answer, is for `judge` to say.
play:   ld [want.from],y
        ld [y,code]
        anda 7
        suba 1
        beq .anew               ; a pawn
        ld [want.to],y          ; (slot)
        ld [y,code]
        bne .anew               ; a capture
        ld 0                    ; (slot)
        ld [since]
        adda 1
.anew:  st [since]
        sync
        ld 5
        st [tone]
        adda [frames]
        st [ring]
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
        call_on(make, judge)

; Entered when the video runs, and for a new game: sets the pieces up, the cursor on the
; king's pawn. The guards are there already.
main:
newgame: st 15,[rights]
        ld a1 + 4 * east + north
        st [cursor]
        ld 0
        st [side]
        st [ep]
        st [since]
        st [came]
        st [went]
        ld a1
.file:  st [sq]
        sync
        ld board,x
        ld [sq]
        adda 1 * north,y
        st 1,[y,x]
        repeat 4, i, 2
        adda i * north,y
        st 0,[y,x]
        endr
        adda 6 * north,y
        st 1 + 8,[y,x]
        adda 7 * north
        st [t]
        adda low(.pieces) - 7 * north - a1
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
        st [y,x]
        adda 8
        ld [t],y
        st [y,x]
        ld [sq]
        suba a1 + 7 * east
        bne .file
        adda a1 + 8 * east      ; (slot)
        sync
        goto judge
        stubs

        ifdef HOST
        section host in rom within=256

; A host wants something: a position from codes on the board, perft, or a move.
host:   sync
        st RISE - 1,[dim]
        ld [command]
        suba 2
        beq .perft
        nop
        blt .given
        nop
        call(think)
        sync
        bra .done
        nop
.perft: call(perft)
.done:  sync
        ld 0
        st [command]
        st [dim]
        goto redraw

; A position that no move of the game led to.
.given: sync
        ld 0
        st [dim]
        st [since]
        st [came]
        st [went]
        goto judge
        stubs
        endif

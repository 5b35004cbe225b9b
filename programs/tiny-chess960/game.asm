; A game
; ======

        section game in flash

; -------------------------------------------------------------------------- game
; A new turn: is the game over, who is to move? The machine moves at once.
;   uses everything; 21 words

game:   rcall status
        out MESSAGE,u
        rcall plain
        in u,MESSAGE
        cpi u,CHECKED
        brlo .calm
        brne over
        ldi t,69                ; check
        rcall beep
.calm:  in u,PLAYERS
        sbrs side,7
        swap u
        andi u,3
        breq pick
        rcall pads              ; (it leaves u)
        out LASTPADS,t
        sbrc t,3                ; right down is heard before the machine thinks, too
        rjmp offers
        rcall think
        mov cursor,mto
        rjmp moves

; -------------------------------------------------------------------------- over
; The end of a game: looks back on it, or to the menu. Its record is emptied then.
;   uses everything; 16 words, 3 of them anew, which begins a game of the array

over:   ldi t,69
.tune:  push t
        rcall beep
        pop t
        subi t,12
        brpl .tune
.wait:  rcall choose
        sbrc t,0
        rjmp look
        sbrs t,1
        rjmp .wait
        rcall anew
        rjmp menu
anew:   in r24,NUMBERL
        in r25,NUMBERH
        rjmp new_game

; -------------------------------------------------------------------------- pick
; Waits for a piece to be taken in hand, or for what else there is; held: for the piece
; to be put down.
;   uses everything; 28 words

pick:   rcall choose
        sbrc t,0
        rjmp look
        sbrc t,3
        rjmp offers
        sbrs t,1
        rjmp pick
        mov hand,cursor
        rcall show
        brtc wrong              ; not a piece that can move
        ldi t,45
.beep:  rcall beep
held:   rcall choose
        sbrc t,3
        rjmp back
        sbrs t,1
        rjmp held
        cp cursor,hand
        breq back
        ldd t,Y+HOLE            ; Y is at the cursor after choose
        tst t
        brne place
        ldi t,21                ; it cannot go there
        rjmp pick.beep
wrong:  ldi t,21
        rcall beep
back:   rcall plain
        rjmp pick

; ------------------------------------------------------------------------- place
; Puts down the piece in hand; asks what a pawn becomes: it is shown on the board.
;   in   Y = the cursor's square, T clear
;   uses everything; 32 words

place:  mov yl,hand
        ld t,Y
        mov yl,cursor
        mov xl,yl
        rcall promotes
        brne .move
        ld t,Y
        push t
.queen: ldi t,QUEEN
.choice: mov promo,t
        or t,side
        st Y,t
        rcall push_             ; (T is clear)
        sbrc t,1
        rjmp .chosen
        sbrc t,3
        rjmp .chosen
        mov t,promo
        dec t
        cpi t,KNIGHT
        brsh .choice
        rjmp .queen
.chosen: pop u
        st Y,u
        sbrc t,3
        rjmp back
.move:  mov mfrom,hand
        mov mto,cursor
moves:  rcall go
        ldi t,57
        rcall beep
        rjmp game

; -------------------------------------------------------------------------- look
; Looks back on the game, a ply at a time. Right up: takes back what came after, right
; down: nothing.
;   uses everything; 25 words

look:   ldi t,LOOKING
        out MESSAGE,t
.back:  mov u,turn
        subi u,1
        adc u,zh                ; not before the first
        rjmp .replay
.on:    mov u,turn
        inc u
.replay: rcall replay
        rcall show
.wait:  rcall choose
        sbrc t,0
        rjmp .back
        sbrc t,2
        rjmp .on
        ldi u,255
        mov hand,turn           ; how far the game is to go back
        sbrs t,1
        mov hand,u              ; no further than it is
        rcall replay
.undo:  cp hand,turn
        brsh .game
        rcall undo
        rjmp .undo
.game:  rjmp game

; ------------------------------------------------------------------------ offers
; Offers a draw, resigns, or leaves the game for the menu.
;   uses everything; 47 words

offers: ldi t,ASK_DRAW
.ask:   out MESSAGE,t
        rcall show
        rcall choose
        mov u,t
        in t,MESSAGE
        sbrc u,3
        rjmp .next
        sbrs u,1
        rjmp game
        cpi t,ASK_RESIGN
        breq .resign
        brlo .draw
        cpi t,ASK_MENU
        brne .agreed
        rjmp menu
.next:  inc t
        cpi t,ASK_AGREE
        brlo .ask
.no:    rjmp game
.resign: ldi t,RESIGNED
        rjmp .over
.draw:  ldi t,ASK_AGREE
        in u,PLAYERS            ; the one to move is a person; is the other, too?
        tst u
        breq .ask
        ldi u,1                 ; the machine agrees if it has no more than the other,
        rcall think             ; with what that can gain
        clr xl
.square: ld u,X
        mov zl,u
        andi zl,7
        subi zl,low(-values)
        lpm r0,Z
        and u,side
        brne .own
        neg r0
.own:   add t,r0
        subi xl,-9
        andi xl,$77
        brne .square
        tst t
        brmi .no
.agreed: ldi t,AGREED
.over:  out MESSAGE,t
        rcall show
        rjmp over

; ------------------------------------------------------------------------ choose
; Waits for the right pad; the left one moves the cursor.
;   out  t = its direction: 1 left, 2 up, 4 right, 8 down; Y = the cursor's square; T clear
;   uses as push; 7 words

choose: clt
        rcall push_
        cpi t,16
        brlo steer.ret
        rcall steer
        mov cursor,u
        rjmp choose

; ------------------------------------------------------------------------- steer
; A square beside the cursor; beyond an edge is the one on the other side.
;   in   t = a direction of the left pad, or of the right one for none
;   out  u; 11 words, 14 clocks

steer:  mov u,cursor
        sbrc t,7
        subi u,$10
        sbrc t,6
        subi u,-$01
        sbrc t,5
        subi u,-$10
        sbrc t,4
        subi u,-$07
        andi u,$77
.ret:   ret

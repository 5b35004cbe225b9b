; A game
; ======

        section game in flash

; -------------------------------------------------------------------------- game
; A new turn: is the game over, who is to move? The machine moves at once.
;   uses everything

game:   rcall status
        out MESSAGE,u
        ldi t,NOWHERE
        mov hand,t
        push u
        rcall show
        pop u
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
        rcall think
        mov cursor,mto
        rjmp moves

; -------------------------------------------------------------------------- over
; The end of a game: looks back on it, or to the menu. Its record is emptied then.

over:   ldi r25,69
.tune:  mov t,r25
        push r25
        rcall beep
        pop r25
        subi r25,12
        cpi r25,21
        brsh .tune
.wait:  rcall choose
        sbrc t,0
        rjmp look
        sbrs t,1
        rjmp .wait
        in r24,NUMBERL
        in r25,NUMBERH
        rcall new_game
        rjmp menu

; -------------------------------------------------------------------------- pick
; Waits for a piece to be taken in hand, or for what else there is.

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
        rcall beep
held:   rcall choose
        sbrc t,3
        rjmp back
        sbrs t,1
        rjmp held
        cp cursor,hand
        breq back
        mov xl,cursor
        ori xl,HOLE
        ldi xh,high(board)
        ld t,X
        tst t
        brne place
        ldi t,21                ; it cannot go there
        rcall beep
        rjmp held
wrong:  ldi t,21
        rcall beep
back:   ldi t,NOWHERE
        mov hand,t
        rcall show
        rjmp pick

; ------------------------------------------------------------------------- place
; Puts down the piece in hand; asks what a pawn becomes.

place:  mov xl,hand
        ld t,X
        andi t,7
        cpi t,PAWN
        brne .move
        mov xl,cursor
        mov t,xl                ; rank 0 or 7?
        subi t,-16
        andi t,$60
        brne .move
        ld t,X
        push t
        ldi t,QUEEN
.choice: mov promo,t
        or t,side
        st X,t
        rcall choose
        sbrc t,1
        rjmp .chosen
        sbrc t,3
        rjmp .chosen
        mov xl,cursor
        ldi xh,high(board)
        mov t,promo
        dec t
        cpi t,KNIGHT
        brsh .choice
        ldi t,QUEEN
        rjmp .choice
.chosen: pop u
        mov xl,cursor
        ldi xh,high(board)
        st X,u
        sbrc t,3
        rjmp back
.move:  mov mfrom,hand
        mov mto,cursor
moves:  rcall go
        ldi t,57
        rcall beep
        rjmp game

; -------------------------------------------------------------------------- look
; Looks back on the game, a ply at a time. Right up: takes back what came after.

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
.draw:  in u,PLAYERS            ; the other side
        sbrc side,7
        swap u
        andi u,3
        ldi t,ASK_AGREE
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
;   out  t = its direction: 1 left, 2 up, 4 right, 8 down
;   uses as push

choose: clt
        rcall push_
        mov u,t
        andi u,$f0
        brne .steer
        ret
.steer: mov u,cursor
        sbrc t,7
        subi u,$10
        sbrc t,6
        subi u,-$01
        sbrc t,5
        subi u,-$10
        sbrc t,4
        subi u,-$07
        andi u,$77
        mov cursor,u
        rjmp choose

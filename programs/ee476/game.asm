; Start, menu, turns, ends
; ========================

; ------------------------------------------------------------------------- start
; Sets up the machine and the board, and asks what to play.
;   uses everything; 65 words

        section start_up in flash
        budget start_up <= 144

start:  ldi t,high(RAMEND)
        out SPH,t
        ldi t,low(RAMEND)
        out SPL,t
        clr yh
        clr zh
        ldi xh,high(board)
        out TCCR1B,zh           ; clocks stand
        ldi t,HERTZ/16/9600-1
        out UBRR,t
        sbi UCR,3               ; transmitter on
        ldi t,high(SECOND-1)
        out OCR1AH,t
        ldi t,low(SECOND-1)
        out OCR1AL,t
        ldi xl,$7f
.clear: st X,zh
        dec xl
        brpl .clear
        clr half
        clr mfrom               ; no move of the first position begins there
        ldi t,WHITE
        mov side,t
        ldi zl,low(menu)
        rcall ask
        ldi t,3
        mov size,t
        cpi u,1
        breq .options
        ldi t,8
        mov size,t
        ldi t,$0c               ; timer 1: a 256th of the clock, and again from 0
        out TCCR1B,t
        ldi zl,low(clocks)
        ldi t,5
        st Z,t
        std Z+1,zh
        std Z+2,t
        std Z+3,zh
        ldi zl,low(rank)
        clr xl
.file:  lpm
        inc zl
        ldi t,WHITE
        or t,r0
        st X,t
        ori xl,$10
        ldi t,PAWN+UNMOVED+WHITE
        st X,t
        ori xl,$60
        ldi t,BLACK
        or t,r0
        st X,t
        andi xl,$6f
        ldi t,PAWN+UNMOVED+BLACK
        st X,t
        andi xl,7
        inc xl
        sbrs xl,3
        rjmp .file
.options: ldi zl,low(asking)
        rcall ask
        dec u
        mov options,u
        rjmp turn

; ----------------------------------------------------------------------- noughts
; A turn of tic-tac-toe: has the other side won, is the board full?
;   out  goes to won, drawn or machine
;   7 words

noughts: swap side
        rcall line
        brne won
        swap side
        mov t,half
        cpi t,9
        brne machine            ; the ninth man: on to `drawn`, at the head of the next section
        assert $ == drawn

; ------------------------------------------------------------- drawn, mate, won
; The ends. All go back to the menu.
;   in   side = the one that was mated, or that has won

        section ends in flash
        budget ends <= 20

drawn:  ldi zl,low(tie)
        rjmp over
mate:   tst u
        breq drawn              ; not in check: stalemate
        swap side
won:    mov t,side
        rcall colour
        ldi zl,low(wins)
over:   rcall print
        rjmp start

; -------------------------------------------------------------------------- turn
; The turn of side: shows the board, sees whether the game is over, and gets the move.
;   out  goes to place or play with the move

        section turns in flash
        budget turns <= 22

turn:   mov who,side
        ldi yl,low(log)
        rcall draw
        sbrs size,3
        rjmp noughts
        rcall enum
        tst u
        breq .calm
        ldi u,'+'
        rcall tx
.calm:  brtc mate
; falls into draws

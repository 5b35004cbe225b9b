; Power-on and menu
; =================
;
; The texts on the right are the menu, the cursor beside them on the h file chooses a
; line, and the board shows the game or the array that would be played.

        section menu in flash

; ------------------------------------------------------------------------- start
; Power-on: pins, timers, the display. Falls into menu.
;   uses everything; 18 words, 400 clocks
;
; Timer 0 paces the program: it overflows each 65,536 clocks, 8.2 ms. Timer 1 is the
; voice. Nothing need be cleared: everything of the glass is drawn.

start:  clr zh
        ldi t,$8f               ; pull-ups of the pads; SCL and SDA are 0 when driven
        out PORTA,t
        out PORTB,t
        sbi DDRA,VOICE
        ldi t,4
        out TCCR0B,t            ; a 256th of the clock
        ldi t,$0a
        out TCCR1B,t            ; an 8th, and again from 0 at OCR1A
        clr u                   ; commands:
        rcall begin
        ldi b,$a1               ; columns from the left
        rcall send
        ldi b,$c8               ; rows from the top
        rcall send
        ldi b,$af               ; on
        rcall send
; falls into menu

; -------------------------------------------------------------------------- menu
; Asks what to play. Falls into game.
;   uses everything; 88 words

menu:   clr t
        rcall header.at
        mov t,r24
        com t                   ; erased is nobody but people
        andi t,$33
        out PLAYERS,t
        out MESSAGE,zh
        ldi u,$77
.line:  mov cursor,u
        cpi u,$57               ; random: where the number happens to be
        breq .number
        ldi r24,low(518)
        ldi r25,high(518)
        cpi u,$67               ; standard
        breq .number
        in r24,NUMBERL
        in r25,NUMBERH
        cpi u,$47               ; number: more or less, and not above 959
        brne .other
        clr w
        sbrc v,7
        com w
        add r24,v
        adc r25,w
        ldi t,high(960)
        cpi r24,low(960)
        cpc r25,t
        brlo .number
        ldi r24,low(959)
        ldi r25,high(959)
        rjmp .number
.other: brsh .resume            ; continue
        in t,PLAYERS            ; White, Black: the level
        sbrs u,4
        swap t
        mov w,t
        add w,v
        eor w,t
        andi w,3
        eor t,w
        sbrs u,4
        swap t
        out PLAYERS,t
.number: out NUMBERL,r24
        out NUMBERH,r25
        rcall array
        rjmp .show
.resume: rcall header
        ldi t,high(960)
        cpi r24,low(960)
        cpc r25,t
        brlo .saved
        ldi r24,low(518)        ; an erased EEPROM
        ldi r25,high(518)
        rcall new_game
.saved: rcall resume
        rcall header
        out NUMBERL,r24
        out NUMBERH,r25
.show:  rcall plain
.push:  set
        rcall push_
        sbrc t,1                ; right up: go
        rjmp .go
        clr v
        sbrc t,6
        ldi v,10
        sbrc t,4
        ldi v,-10
        sbrc t,2
        ldi v,1
        sbrc t,0
        ldi v,-1
        rcall steer
        ori u,7                 ; the file stays
        cpi u,$27
        brlo .push
        rjmp .line
.go:    mov u,cursor
        cpi u,$77
        breq .go_on
        rcall anew
.go_on: in r24,PLAYERS
        com r24
        andi r24,$7f            ; $FF would be a record of the seed's program
        clr t
        clr u
        rcall ee_write
; falls into game

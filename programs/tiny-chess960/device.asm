; The device: pins, pads, display, buzzer
; ========================================

; The order matters: start falls into menu, and this into game.
        section menu in flash
        section game in flash
        section device in flash

; Registers of the parts. The I/O cells are for timer 0's compares and pin changes, which
; are not used.
        def b = r20             ; the byte to send
        def page = r21          ; commands of a page of the display, $b0 to $b7
        def left = r22          ; columns that are left
        def inverse = r23       ; 0, or $ff to turn black and white round
        def cursor = r15        ; square
        def hand = r14          ; square of the piece in hand, or NOWHERE
LASTPADS equ GPIOR0             ; pads of the last loop
WAIT    equ GPIOR1              ; loops to the next repeat
PLAYERS equ GPIOR2              ; levels: White's in bits 0 and 1, Black's in 4 and 5
NUMBERL equ OCR0A               ; number of the array
NUMBERH equ PCMSK1              ; (it has four bits)
MESSAGE equ PCMSK0              ; number of the text in the last line

SCL     equ 4                   ; bits of port A
SDA     equ 6
VOICE   equ 5

; -------------------------------------------------------------------------- push
; Waits until exactly one direction is pushed: one that was not a loop before, or the
; same after 96 loops of 8.2 ms and then each 32, in the menu 48 and 24. The cursor's
; square is inverted and back each 16 loops.
;   in   T set in the menu
;   out  t = the direction; r25:r24 = a random number below 960; Y = the cursor's square
;   uses r0, u, v, w, b, page, left, inverse, Z, LASTPADS, WAIT
;   34 words

push_:  clr inverse
        sbic WAIT,4
        com inverse
        rcall cursed
        rcall frame
        rcall pads
        in u,LASTPADS
        out LASTPADS,t
        ldi v,96
        brtc .game
        ldi v,48
.game:  cp t,u
        brne .new
        in u,WAIT
        dec u
        out WAIT,u
        brne push_
        ldi v,32
        brtc .new
        ldi v,24
.new:   out WAIT,v
        mov u,t
        subi u,1
        brcs push_              ; none
        and u,t
        brne push_              ; more than one
.taken: clr inverse
        rcall cursed
        in t,LASTPADS           ; (cursed spoils t)
        ret

; -------------------------------------------------------------------------- pads
; The two direction pads.
;   out  t = left down, right, up, left, right down, right, up, left from bit 7 on;
;        1 is pushed
;   9 words, 12 clocks

pads:   in t,PINA               ; has bits 7 and 3 to 0 in their places
        ori t,$70
        sbis PINB,0
        andi t,$bf
        sbis PINB,1
        andi t,$df
        sbis PINB,2
        andi t,$ef
        com t
        ret

; ------------------------------------------------------------------------- frame
; Waits for timer 0. Meanwhile it counts the numbers of arrays, a million in a second,
; until left down is pushed: a hand's moment draws one at random.
;   out  r25:r24 = 0 to 959
;   uses u; 10 words, 8.2 ms since the last time

frame:  sbic PINA,7
        sbiw r24,1              ; (when it is skipped the carry is that of the last one,
        brcc .count             ; and so is what follows)
        ldi r24,low(959)
        ldi r25,high(959)
.count: in u,TIFR0
        sbrs u,TOV0
        rjmp frame
        out TIFR0,u
        ret

; -------------------------------------------------------------------------- beep
; Plays a tone for eight loops, 66 ms.
;   in   t = 0 to 81, semitones from C; negative is silence
;   uses t, u, v, Z, r25:r24; 30 words

beep:   tst t
        brmi .loops
        clr v
.octave: inc v
        subi t,12
        brcc .octave
        lsl t
        subi t,low(-(tones+24))
        mov zl,t
        lpm t,Z+
        lpm u,Z
.shift: dec v
        breq .play
        lsr u
        ror t
        rjmp .shift
.play:  out OCR1AH,u
        out OCR1AL,t
        out OCR1BH,u
        out OCR1BL,t
        out TCNT1H,zh
        out TCNT1L,zh
        ldi u,$10               ; OC1B toggles
        out TCCR1A,u
.loops: ldi v,8
.loop:  rcall frame
        dec v
        brne .loop
        out TCCR1A,zh
        ret

; ----------------------------------------------------------------------- at, begin
; at: begins data for the display. begin: the same, or commands. A transfer is never
; ended: the next begins with a start all the same.
;   in   at: page, w = column 2 to 129; begin: u = $40 for data, $00 for commands
;   uses at: u; b; 22 words, 1,600 clocks

at:     clr u
        rcall begin
        mov b,page
        rcall send
        mov b,w                 ; high first: so it is never a column past the last
        swap b
        andi b,$0f
        ori b,$10
        rcall send
        mov b,w
        andi b,$0f
        rcall send
        ldi u,$40
begin:  cbi DDRA,SDA
        rcall high_
        sbi DDRA,SDA            ; start: it falls while the clock is high
        rcall high_             ; (a pause)
        sbi DDRA,SCL
        ldi b,$3c*2
        rcall send
        mov b,u
        rjmp send

; ------------------------------------------------------------------- column, send
; column: sends a column of a picture. send: sends a byte over the I2C bus: 8 bits and
; the acknowledgement, which nobody looks at, of 20 clocks each, 400,000 bits a second.
;   in   b, inverse; SCL low
;   out  column: left one less
;   uses b; 15 words, 190 clocks
;
; A line is high when it is let go. Behind the bits comes a 1 that marks their end: when it
; is in the carry b is 0, and SDA is let go for the answer; then the carry is clear, too.

column: eor b,inverse
        dec left
send:   sec
        rol b
.bit:   sbi DDRA,SDA
        brcc .zero
        cbi DDRA,SDA
.zero:  rcall high_
        sbi DDRA,SCL
        lsl b
        brne .bit
        brcs .bit
        ret
high_:  cbi DDRA,SCL
        rjmp .wait              ; scrimp: timing exact
.wait:  ret

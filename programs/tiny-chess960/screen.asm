; Board and texts on the display
; ==============================
;
; The board is on the left, 8 by 8 pixels a square, rank 8 on top; eight lines of texts
; are on the right. Both are drawn whole.

        section screen in flash

; ------------------------------------------------------------------- cursed, tile
; Draws a square: of a light one the sides are dotted; a piece of Black is the edge of
; its picture; a legal target has a dot.
;   in   Y = square (cursed: that of the cursor), inverse
;   out  Y
;   uses r0, t, u, v, w, b, page, left, Z; 56 words, 3,500 clocks

cursed: mov yl,cursor
        ldi yh,high(board)
tile:   mov t,yl
        swap t
        mov w,t
        andi w,$70              ; eight columns a file
        lsr w
        subi w,-2
        andi t,7
        ldi page,$b7
        sub page,t
        add t,yl                ; bit 0: light?
        rcall at
        clr w
        sbrc t,0
        ldi w,$55
        ld v,Y
        mov zl,v
        andi zl,7
        mov t,zl
        lsl zl
        add zl,t
        lsl zl
        subi zl,low(-sprites)
        clr r0                  ; the column before
        mov b,w
        rcall column
        ldi left,6
.column: lpm b,Z+
        sbrs v,3
        rjmp .white
        lpm t,Z                 ; Black: inside is where all four neighbours are lit
        and t,r0
        mov r0,b
        mov u,b
        lsl u
        and t,u
        lsr u
        lsr u
        and t,u
        and t,b
        eor b,t
.white: mov u,left
        subi u,3
        cpi u,2
        brcc .plain
        ldd t,Y+HOLE
        cpse t,zh
        ldi t,$18
        eor b,t
.plain: rcall column
        tst left
        brne .column
        mov b,w
        lsl b
        rjmp column

; --------------------------------------------------------------------- plain, show
; show: finds where the piece in hand may go, and draws everything; plain: the same with
; none in hand, so without dots.
;   in   hand
;   out  T set if there is a move
;   uses r0, r16-r31; 11 words; 40 ms with panel

plain:  ldi t,NOWHERE
        mov hand,t
show:   mov mfrom,hand
        rcall targets
        clr inverse
        ldi yh,high(board)
        ldi yl,$77
.next:  andi yl,$77
        rcall tile
        dec yl
        brpl .next
; falls into panel

; ------------------------------------------------------------------------- panel
; Draws the texts: the lines of the menu, plies, the message.
;   uses r24, r25, t, u, v, w, b, page, left, inverse, X, Z; 37 words

panel:  ldi zl,low(texts)
        ldi zh,high(texts)
        ldi page,$b0
        rcall row               ; continue
        rcall row               ; standard
        rcall row               ; random
        rcall label             ; number
        in r24,NUMBERL
        in r25,NUMBERH
        rcall decimal
        sbrc side,7             ; the side to move is inverted
        com inverse
        rcall label
        in r24,PLAYERS
        andi r24,3
        rcall digit
        sbrc side,3
        com inverse
        rcall label
        in r24,PLAYERS
        swap r24
        andi r24,3
        rcall digit
        rcall label             ; ply
        mov r24,turn
        clr r25
        rcall decimal
        in v,MESSAGE
.skip:  subi v,1
        brcs .found
.text:  lpm t,Z+
        sbrs t,7
        rjmp .text
        rjmp .skip
.found: rcall row
        clr zh
        ret

; -------------------------------------------------------------------- decimal, digit
; Prints a number of three digits or one, and fills the line.
;   in   r25:r24; digit: r24
;   uses r24, r25, t, u, v, w, b, left, X; 8 words, and 7 of figure

decimal: ldi v,100
        rcall figure
        ldi v,10
        rcall figure
digit:  ldi v,1
        clr r25
        rcall figure
        rjmp fill

; ----------------------------------------------------------- row, label, print, fill
; label: prints a text at the beginning of a line; fill: fills the line; row: both.
; print: prints a text, glyph: the glyph at t.
;   in   page, Z = text, inverse
;   out  Z = the next text; fill: page one more, inverse 0
;   uses t, u, w, b, left, X; 32 words, 800 clocks a glyph

row:    rcall label
fill:   clr b
        rcall column
        tst left
        brne fill
        clr inverse
        inc page
        ret
label:  ldi w,2+64
        rcall at
        ldi left,64
        ldi t,BLANK
        rcall glyph
print:  lpm t,Z+
        rcall glyph
        sbrs t,7
        rjmp print
        ret
figure: ldi t,low(digits-3)
.count: subi t,-3
        sub r24,v
        sbci r25,0
        brcc .count
        add r24,v
        inc r25                 ; 0 again
glyph:  movw r26,r30
        mov zl,t
        andi zl,LAST-1
        clr zh
        ldi w,3
.column: lpm b,Z+
        rcall column
        dec w
        brne .column
        clr b
        rcall column
        movw r30,r26
        ret

; ------------------------------------------------------------------------- texts

        section texts in flash

texts:  db C,O,N,T,I,N,U,E+LAST
        db S,T,A,N,D,A,R,D+LAST
        db R,A,N,D,O,M+LAST
        db N,U,M,B,E,R,BLANK+LAST
        db W,H,I,T,E,BLANK+LAST
        db B,L,A,C,K,BLANK+LAST
        db P,L,Y,BLANK+LAST
; Messages, by number: first those that status has.
        db BLANK+LAST
        db C,H,E,C,K+LAST
        db M,A,T,E+LAST
        db S,T,A,L,E,M,A,T,E+LAST
        db B,A,R,E+LAST
        db F,I,F,T,Y+LAST
        db R,E,P,E,A,T+LAST
        db F,U,L,L+LAST
        db A,G,R,E,E,D+LAST
        db R,E,S,I,G,N,E,D+LAST
        db D,R,A,W,QUERY+LAST
        db R,E,S,I,G,N,QUERY+LAST
        db M,E,N,U,QUERY+LAST
        db A,G,R,E,E,QUERY+LAST
        db L,O,O,K+LAST
CHECKED equ 1
AGREED  equ 8
RESIGNED equ 9
ASK_DRAW equ 10
ASK_RESIGN equ 11
ASK_MENU equ 12
ASK_AGREE equ 13
LOOKING equ 14

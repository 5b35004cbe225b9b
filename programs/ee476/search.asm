; Moves of chess, making them, the search
; =======================================
;
; One generator serves for everything: it makes each pseudo-legal move of the side to
; move, lets the other side answer, and takes it back. How deep depends on dep:
;   dep >= 0      all moves, captures first
;   dep < 0       captures; the side may also stand as it is
;   dep = floor   no move is made: TAKEN if a king can be taken, that is, if the move
;                 before was against the rules; floor is less than 0
; Values are relative: what the side to move gains from here on. A move that wins g and
; after which the other side gains v is worth g - v. So nobody keeps a balance, and
; eight bits do.

        section search in flash
        budget search <= 660

; -------------------------------------------------------------------------- enum
; Goes through the legal moves of the side to move. If one is from mfrom to mto it
; stays made, with the log not empty.
;   in   side, ep, mfrom, mto, promo; the log is empty
;   out  T set if there is a legal move; u = 0 if the side is not in check (both when
;        nothing was made); seen bit 1 set if a pawn can be taken in passing; when
;        made: piece as it was, X = where it went, newep
;   uses r0, t, u, Z, the frame, of ep bit 3
;   5 words and root; 50,000 to 350,000 clocks, and 5,000 for each legal move

enum:   ldi t,-1
        mov floor,t
        clr seen
        clt
        clr top

; -------------------------------------------------------------------------- root
; The best move of the side to move.
;   in   top = plies - 1, floor, side, ep, promo
;   out  mfrom, mto; u = its value
;   uses as enum
;   4 words and search

root:   mov dep,top
        andi ep,$ff-QUIET
        ldi beta,100            ; more than any value
        ldi best,NONE

; ------------------------------------------------------------------------ search
; Looks for the best move; stops when it is good enough.
;   in   dep, floor, side, ep, beta; best = what the side has elsewhere
;   out  u = value; TAKEN if a king can be taken, unless in the first ply
;   uses r0, t, u, Z, the frame but for beta, of ep bit 3
;   165 words; 5,000 clocks and its moves

search: ldi t,NONE
        sbrc dep,7
        rcall stand
        cp best,t
        brge .begin
        mov best,t
.begin: clr from
.piece: mov xl,from
        ld piece,X
        mov t,piece
        and t,side
        breq .next
        mov zl,piece
        andi zl,7
        lpm
        mov ptr,r0
.steps: mov zl,ptr
        lpm
        mov step,r0
        tst step
        breq .next
.dir:   mov xl,from
.slide: add xl,step
        mov t,xl
        andi t,$88
        brne .off
        ld u,X
        mov t,u
        and t,side
        brne .off               ; own piece
        mov t,piece
        andi t,5
        brne .try
        mov t,step              ; pawn
        eor t,side
        brmi .off               ; backwards
        tst u
        sbrs step,0
        rjmp .push
        brne .try               ; slanting: takes a piece,
        cp xl,ep                ; or one in passing
        ldi u,PAWN
.push:  breq .try               ; straight on: must be empty

; Next direction, list entry, piece.
.off:   neg step
        brmi .dir
        inc ptr
        rjmp .steps
.next:  subi from,-9            ; one on, and from column 8 to the next row
        andi from,$77
        brne .piece
        sbrs ep,3
        sbrc dep,7
        rjmp .done
        ori ep,QUIET            ; now the quiet moves
        rjmp .piece
.done:  mov u,best
        cpi u,NONE
        brne .ret
        rcall check             ; no legal move (enum: always here)
        ldi u,MATED
        breq .ret
        clr u
.ret:   ret

; A move to X, where u stands.
.try:   mov zl,u
        andi zl,7
        cpi zl,KING
        brne .other
        cp dep,top
        breq .other             ; speed chess: kings are taken like others
        ldi u,TAKEN
        ret
.other: cp dep,floor
        breq .stay
        mov t,ep
        tst u
        breq .quiet
        com t
.quiet: sbrs t,3
        rjmp .stay              ; not its turn
        cp best,beta
        brge .done
        subi zl,-low(values)
        lpm
        rcall make
        mov t,xl                ; half a pawn for the middle
        rcall middle
        sbc r0,zh
        mov t,from
        rcall middle
        adc r0,zh
        cp dep,top
        brne .deep
        in t,TCNT1L             ; half a pawn by chance
        lsr t
        adc r0,zh
.deep:  rcall reply
        sbrs floor,0
        rjmp .score
; enum: legal in speed chess, or when the king cannot be taken.
        cpi u,TAKEN
        brne .legal
        sbrs options,2
        rjmp .undo
.legal: set
        mov t,yl
        sub t,mark              ; 6: three squares, so a pawn taken in passing
        or seen,t
        cp from,mfrom
        brne .undo
        cp xl,mto
        brne .undo
        ret                     ; made
.score: cpi u,TAKEN
        brne .fair
        cpi best,NONE
        brne .undo
        rjmp .note              ; speed chess may have no other
.fair:  cpi best,NONE
        breq .better            ; the first is, however bad
        tst r0
        brpl .undo
.better: sub best,r0
.note:  cp dep,top
        brne .undo
        mov mfrom,from
        mov mto,xl
.undo:  ld t,-Y
        ld xl,-Y
        st X,t
        cp yl,mark
        brne .undo              ; the first in the log is where the piece went
        rcall tick
; On in the same direction?
.stay:  ld t,X
        tst t
        brne .no
        sbrc piece,0
.on:    rjmp .slide
        sbrs piece,6
        rjmp .off
        mov t,xl
        sub t,from
        cp t,step
        brne .no                ; a second step was the last
        sbrs piece,2
        rjmp .slide             ; pawn: two squares
; King: castling, which is a second step. The way to the rook must be empty, the king
; not in check, nor on the first square, as u still tells.
        sbrc dep,7
        rjmp .no
        cpi u,TAKEN
        breq .no
        ori xl,7
        sbrc step,7
        andi xl,$70             ; the corner
        ld t,X
        eor t,side
        cpi t,ROOK+UNMOVED
        brne .no
.walk:  sub xl,step
        ld t,X
        tst t
        breq .walk
        cp xl,from
        brne .no
        add xl,step
        rcall check
        brne .on
.no:    rjmp .off

; ------------------------------------------------------------------------- stand
; What it is worth to stand as it is: nothing, unless a lone king is hunted. Then it is
; good for the hunter when that king is near an edge or in a corner, and when the two
; kings are close, as long as there is another man.
;   in   prey, side
;   out  t = value for side, -34 to 34
;   uses r0, u, Z, XL, piece, ptr, step, from; 42 words; 6 clocks, or 1,300

stand:  clr t
        tst prey
        breq .ret
        clr ptr                 ; no man yet
        ldi xl,$77
.scan:  ld u,X
        mov piece,u
        andi piece,7
        breq .next
        cpi piece,KING
        brne .man
        and u,prey
        breq .hunter
        mov step,xl             ; the prey's king
        rjmp .next
.hunter: mov from,xl
        rjmp .next
.man:   mov ptr,piece
.next:  dec xl
        brpl .scan
        tst ptr
        breq .ret
        rcall axes
        cp side,prey
        brne .ret
        neg t
.ret:   ret

axes:   rcall axis              ; once for the rows, then on for the columns
axis:   swap from
        swap step
        mov u,step
        andi u,7
        mov zl,u
        subi zl,-low(edges)
        lpm
        add t,r0
        mov zl,from
        andi zl,7
        sub u,zl
        brpl .far
        neg u
.far:   sub t,u
        ret

; ------------------------------------------------------------------------ middle
; Whether a square is one of the middle sixteen.
;   in   t = square
;   out  carry clear if it is
;   uses t; 4 words, 7 clocks

middle: subi t,-$22             ; 2 to 5 become 4 to 7
        andi t,$44
        cpi t,$44
        ret

; ------------------------------------------------------------------------- check
; Whether the side to move is in check.
;   out  Z set if it is
;   uses r0, t, u, Z; 8 words; 1,500 to 7,000 clocks

check:  clr r0
        push dep
        mov dep,floor
        inc dep
        rcall reply
        pop dep
        cpi u,TAKEN
        ret

; ------------------------------------------------------------------------- reply
; Lets the other side search, with the frame on the stack. Its beta is what it needs to
; spoil the move, gain - best; what it has elsewhere is gain - beta. Less than nothing
; elsewhere does not count: a stalemate is worth more, so that has to be noticed.
;   in   r0 = gain, newep
;   out  u = what the other side gains, r0 = u - (gain - best): the move is better than
;        best if that is negative; in the first ply AGAIN more for what was there before
;   uses t, Z; 43 words; 150 clocks and those of search, in the first ply 5,000 more

reply:  ldi zl,FRAMED
.save:  ld t,-Z                 ; registers are at addresses 0 to 31
        push t
        cpi zl,FRAME
        brne .save
        mov t,r0
        sub t,beta
        brge .else
        ldi t,NONE
.else:  sub r0,best
        mov beta,r0
        mov best,t
        mov ep,newep
        dec dep
        swap side
        rcall search
        swap side
        inc dep
        tst u
        brpl .soon
        inc u                   ; what comes later is worth less
.soon:  mov r0,u
        sub r0,beta
; Of the moves of the first ply those are bad that lead to where the game has been: a
; game that is won goes on. The frame is free here.
        cp dep,top
        brne .back
        push u
        push r0
        rcall hash
        mov position,half
        inc position
        ldi count,1
        rcall past
        pop r0
        pop u
        brne .back
        ldi t,AGAIN
        add r0,t
.back:  ldi zl,FRAME
.load:  pop t
        st Z+,t
        cpi zl,FRAMED
        brne .load
        ret

; -------------------------------------------------------------------------- make
; Makes a move and logs it: first the square where the piece goes, then that where it
; came from, then what castling or taking in passing changes.
;   in   piece, from, X, step, side, promo; r0 = value of what is taken
;   out  mark = end of the log before; newep; r0 more for a promotion, and for a pawn
;        when four half-moves went by without one: so won games go on
;   uses t, u, ZL; 53 words, 57 to 97 clocks

make:   mov mark,yl
        ldi t,NOWHERE
        mov newep,t
        mov t,piece
        andi t,$ff-UNMOVED
        mov u,t
        andi u,5
        brne .move
        mov u,xl                ; pawn: row 0 or 7?
        subi u,-16
        andi u,$60
        brne .move
        mov t,promo
        or t,side
        ldi u,14
        add r0,u
.move:  rcall put
        mov u,xl
        mov xl,from
        clr t
        rcall .last
        sbrc piece,0
        ret
        sub u,from
        sub u,step
        mov u,xl                ; the flags are still those of SUB
        breq .first
        mov newep,xl
        sub newep,step          ; second step: the square between
        sbrs piece,2
        ret                     ; pawn
        ori xl,7                ; king: the rook goes to the square between
        sbrc step,7
        andi xl,$70
        rcall put
        ldi t,ROOK
        or t,side
        mov xl,newep
        rjmp .last
.first: sbrc piece,2
        ret                     ; king, knight
        sbrs step,0
        rjmp .push
        cp xl,ep
        brne put.ret
        ldi zl,16               ; taken in passing: the other pawn is on row 3 where
        eor xl,zl               ; this one goes to row 2, and on 4 where to 5
.last:  rcall put
        mov xl,u
        ret
.push:  sbrc half,2
        inc r0
        ret

; --------------------------------------------------------------------------- put
; Puts something on a square and logs what was there.
;   in   X, t = what
;   uses ZL; 5 words, 12 clocks

put:    ld zl,X
        st X,t
        st Y+,xl
        st Y+,zl
.ret:   ret

; The generator, legal moves, the search
; ======================================
;
; One generator serves for everything: it makes each pseudo-legal move of the side to
; move, lets the other side answer, and takes it back. How deep depends on dep:
;   dep >= 0      all moves, captures first
;   dep < 0       captures; the side may also stand as it is
;   dep = floor   nothing: it stands as it is; floor is less than 0
;   dep < floor   no move is made: TAKEN if a king can be taken, that is, if the move
;                 before was against the rules. So is it at floor, if that is odd (enum)
; Values are relative: what the side to move gains from here on. A move that wins g and
; after which the other side gains v is worth g - v. So nobody keeps a balance, and
; eight bits do.

        section search in flash

; ----------------------------------------------------------------------- targets
; Marks where a piece may go: in the hole of each such square is 4, for taking in passing
; 6, for castling, on the own rook, 8.
;   in   mfrom, ZH = 0
;   out  T set if there is any
;   uses r0, r16-r31
;   7 words; 13,000 to 85,000 clocks

targets: ldi xh,high(board)
        ldi xl,HOLE
.clear: st X,zh
        inc xl
        ori xl,HOLE
        brpl .clear
        rjmp any.mark

; ---------------------------------------------------------------------------- any
; Is there any legal move?
;   out  T, u, seen as enum; mto = NOWHERE
;   uses as enum
;   4 words; 40,000 to 200,000 clocks

any:    ldi t,NOWHERE
        mov mfrom,t
.mark:  ldi t,NOWHERE
        mov mto,t
; falls into enum

; -------------------------------------------------------------------------- enum
; Goes through the legal moves of the side to move. The one from mfrom to mto stays made.
;   in   side, newep, mfrom, mto, promo, where NOWHERE stands for any square: then the
;        moves are not made, and marked if mfrom is a square; ZH = 0
;   out  T set if there is a legal move; u = MATED if the side is in check, else STALE
;        (both when nothing was made); seen bit 1 set if a pawn can be taken in passing; when
;        made: yl > log, piece as it was, newep; else newep kept
;   uses r0, r16-r31
;   6 words
enum:   ldi t,-1
        mov floor,t
        out PREY,zh
        clr seen
        clt
        clr top

; -------------------------------------------------------------------------- root
; The best move of the side to move.
;   in   top = plies - 1, floor, side, newep, promo
;   out  mfrom, mto; u = its value
;   uses as enum
;   7 words

root:   ldi xh,high(board)
        clr yh
        ldi yl,low(log)
        mov dep,top
        mov ep,newep
        ldi beta,100            ; more than any value
        ldi best,NONE

; ------------------------------------------------------------------------ search
; Looks for the best move; stops when it is good enough.
;   in   dep, floor, side, ep, beta; best = what the side has elsewhere
;   out  u = value; TAKEN if a king can be taken
;   uses r0, t, u, Z, the frame but for beta
;   193 words; 2,000 to 5,000 clocks for each move that is answered

search: ldi t,NONE
        sbrc dep,7
        rcall stand
        cp best,t
        brge .begin
        mov best,t
.begin: clr from
        cp dep,floor
        brne .piece
        sbrs floor,0
        rjmp .done
.piece: mov xl,from
        ld piece,X
        mov t,piece
        and t,side
        breq .next
        mov zl,piece
        andi zl,7
        subi zl,low(-(lists-1))
        lpm ptr,Z
.steps: mov zl,ptr
        lpm step,Z
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
        brne .own
        mov t,piece
        andi t,7
        cpi t,KING
        brlo .pawn
        brne .try
        mov t,xl                ; king: beyond the first square it looks for its rook
        sub t,from
        cp t,step
        breq .try
        tst u
        breq .slide
; Next direction, list entry, piece.
.off:   neg step
        brmi .dir
        inc ptr
        rjmp .steps
.next:  subi from,-9            ; one on, and from file 8 to the next rank
        andi from,$77
        brne .piece
        sbrs ep,3
        sbrc dep,7
        rjmp .done
        ori ep,QUIET            ; now the quiet moves
        rjmp .piece
.done:  andi ep,$ff-QUIET
        mov newep,ep            ; as it was
        mov u,best
        cpi u,NONE
        brne .ret
        rcall check             ; no legal move (enum: always here)
        ldi u,MATED
        breq .ret
        ldi u,STALE
.ret:   ret

.pawn:  mov t,step
        eor t,side
        brpl .off               ; backwards
        tst u
        sbrs step,0
        rjmp .push
        brne .try               ; slanting: takes a piece,
        cp xl,ep                ; or one in passing
        ldi u,PAWN
.push:  brne .off               ; straight on: must be empty
        rjmp .try
; An own piece. An unmoved king castles onto an unmoved rook. Of two pieces of a side
; that differ by these bits, and the first of which is marked and even, it is those two.
.own:   eor u,piece
        cpi u,KING^ROOK
        brne .off
        sbrs piece,6
        rjmp .off
        clr u                   ; a quiet move
        sbrc piece,0
        rjmp .off

; A move to X, where u stands.
.try:   mov zl,u
        andi zl,7
        cpi zl,KING
        brne .other
        ldi u,TAKEN
        ret
.other: cp floor,dep
        brge .skip
        mov t,ep
        tst u
        breq .quiet
        com t
.quiet: sbrs t,3
.skip:  rjmp .stay              ; not its turn
        cp best,beta
        brge .done
        sbrs floor,0
        rjmp .make
        sbrc mfrom,7            ; enum: is it asked for?
        rjmp .any
        cp from,mfrom
        brne .skip
.any:   sbrc mto,7
        rjmp .make
        cp xl,mto
        brne .skip
.make:  subi zl,low(-values)
        lpm r0,Z
        rcall make
        cpi zl,KING             ; (of other moves make leaves something else)
        mov zl,mark
        ld xl,Z                 ; to
        breq .safe
        mov t,xl                ; half a pawn for the middle, but not for a king
        rcall middle
        sbc r0,zh
        mov t,from
        rcall middle
        adc r0,zh
.safe:  cp dep,top
        brne .deep
        ldi t,OPENING
        cp turn,t
        brsh .deep
        in t,TCNT0              ; half a pawn by chance
        lsr t
        adc r0,zh
.deep:  in t,PREY
        tst t
        brne .reply
        cp zh,dep
        brlt .reply
        cp best,r0              ; the other side may stand as it is: no better
        brge .undo
.reply: rcall reply
        sbrs floor,0
        rjmp .score
; enum: legal if the king cannot be taken.
        cpi u,TAKEN
        breq .undo
.legal: set
        mov t,yl
        sub t,mark              ; 6: three squares, so a pawn taken in passing
        or seen,t
        sbrs mto,7
        ret                     ; made
        ori xl,HOLE
        sbrs mfrom,7
        st X,t
        rjmp .undo
.score: in t,TIFR0              ; has the timer overflowed?
        out TIFR0,t
        sbrs t,TOV0
        rjmp .more
        inc nodes
        brne .more
        inc nodesh
        brne .more
        rjmp late
.more:  cpi u,TAKEN
        breq .undo
        cpi best,NONE
        breq .better            ; the first is, however bad
        tst r0
        brpl .undo
.better: sub best,r0
        cp dep,top
        brne .undo
        mov mfrom,from
        mov mto,xl
.undo:  ld t,-Y
        ld xl,-Y
        st X,t
        cp yl,mark
        brne .undo              ; the first in the log is where the piece went
; On in the same direction?
.stay:  ld t,X
        tst t
        brne .no
        sbrc piece,2
.on:    rjmp .slide
        sbrs piece,6
        rjmp .off
        sbrc piece,1
        rjmp .slide             ; king: towards its rook
        mov t,xl
        sub t,from
        cp t,step
        breq .on                ; pawn: a second step was the last
.no:    rjmp .off

; ------------------------------------------------------------------------- stand
; What it is worth to stand as it is: nothing, unless a lone king is hunted. Then it is
; good for the hunter when that king is near an edge or in a corner, and when the two
; kings are close; always better than a draw.
;   in   PREY, side
;   out  t = value for side, -28 to 28
;   uses u, X, ZL, piece, step, from
;   42 words

stand:  clr t
        in u,PREY
        tst u
        breq .ret
        clr xl
.scan:  ld piece,X
        mov t,piece
        andi t,7
        cpi t,KING
        brne .next
        and piece,u
        brne .prey
        mov from,xl
        rjmp .next
.prey:  mov step,xl
.next:  subi xl,-9
        andi xl,$77
        brne .scan
        ldi t,14
        rcall axis
        rcall axis
        in u,PREY
        cpse side,u
.ret:   ret
        neg t
        ret

; One way of the board, and on to the other.
axis:   swap from
        swap step
        mov u,step
        andi u,7
        mov zl,from
        andi zl,7
        sub zl,u
        brpl .far
        neg zl
.far:   sub t,zl
        lsl u
        subi u,7
        brpl .edge
        neg u
.edge:  add t,u
        ret

; ------------------------------------------------------------------------ middle
; Whether a square is one of the middle sixteen.
;   in   t = square
;   out  carry clear if it is
;   uses t
;   4 words; 7 clocks

middle: subi t,-$22             ; 2 to 5 become 4 to 7
        andi t,$44
        cpi t,$44
        ret

; ------------------------------------------------------------------------- check
; Whether the side to move is in check.
;   out  Z set if it is
;   uses r0, t, u, Z
;   7 words; 500 to 5,000 clocks

check:  clr r0
        push dep
        mov dep,floor
        rcall reply
        pop dep
        cpi u,TAKEN
        ret

; ------------------------------------------------------------------------- reply
; Lets the other side search, with the frame on the stack. Its beta is what it needs to
; spoil the move, gain - best; what it has elsewhere is gain - beta.
;   in   r0 = gain, newep
;   out  u = what the other side gains, r0 = u - (gain - best): the move is better than
;        best if that is negative
;   uses t, Z
;   27 words

reply:  ldi zl,FRAMED
.save:  ld t,-Z                 ; registers are at addresses 0 to 31
        push t
        cpi zl,FRAME
        brne .save
        mov t,r0
        sub t,beta
        sub r0,best
        mov beta,r0
        mov best,t
        mov ep,newep
        dec dep
        swap side
        rcall search
        swap side
        inc dep
        cpi u,SOON
        brge .soon
        inc u                   ; much that is lost later is less
.soon:  mov r0,u
        sub r0,beta
        ldi zl,FRAME
.load:  pop t
        st Z+,t
        cpi zl,FRAMED
        brne .load
        ret

; ------------------------------------------------------------------------- think
; The best move: looks two plies deep, then a ply deeper again and again up to nine,
; until the level's time is over.
;   in   u = level, 1 to 3; status was called in this position
;   out  mfrom, mto, promo; t = its value, signed
;   uses r0, r16-r31, OCR0B, GPIOR1
;   54 words; README.md has the times

think:  mov nodes,u
        lds t,men
        mov u,side              ; hunt the other side if it has nothing but its king,
        swap u
        sbrs t,2                ; and this one a piece that slides
        clr u
        and t,u
        breq .hunt
        clr u
.hunt:  out PREY,u
        ldi t,QUEEN
        mov promo,t
        ldi t,-4
        mov floor,t
        clr nodesh              ; nine minutes: enough for two plies
        clr top
        inc top
        push nodes
        rcall root
        pop t
        ldi v,$ff               ; 1, 515 or 5,912 overflows more
        cpi t,2
        brlo .level
        ldi v,$fd
        breq .level
        ldi v,$e8
.level: mov nodes,v
        mov nodesh,v
        in t,SPL
        out GPIOR1,t
.deeper: push mfrom
        push mto
        push u
        sbrc top,3
        rjmp late
        inc top
        rcall root
        in t,GPIOR1
        out SPL,t
        rjmp .deeper
; The time is over: back to where the last search was whole.
late:   in t,GPIOR1
        subi t,3
        out SPL,t
        ldi t,high(RAMEND)
        out SPH,t
        ldi u,255
        rcall replay
        pop t
        pop mto
        pop mfrom
        ldi u,QUEEN
        mov promo,u
        ret

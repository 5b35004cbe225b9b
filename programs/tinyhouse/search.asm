; All that goes through the moves
; ===============================

        section search in flash
        budget search <= 434

; -------------------------------------------------------------------------- leaf
; Parts of search: the end of the tree, no legal move, and the end.

; The king cannot be taken. At the end of the tree counts one more in the digits.
leaf:   clr r0
        tst depth
        brmi fine
        brne search.phase
        ldi zl,low(line-1)
        ldi zh,high(line-1)
.carry: ld t,-Z
        ori t,'0'               ; it may be a space
        inc t
        cpi t,'9'+1
        brlo .put
        ldi t,'0'
.put:   st Z,t
        brsh .carry
        rjmp fine
none:   ldi best,MATED          ; No legal move. A late mate is better than an early one.
        sub best,depth
        clr depth               ; From and to are 0, so the other side moves: can it take
        rcall reply             ;   the king?
        brts done
        ldi best,STALE
done:   mov r0,best
fine:   clt
return: ret

; -------------------------------------------------------------------------- pass
; A part of search: goes from kings to captures, quiet moves and drops.

pass:   subi phase,-$40
        movw allowl,foel
        brpl leaf
        movw allowl,emptyl
        sbrs phase,6
        rjmp search.phase
        ldd pl,Y+HANDS
        sbrc side,7
        ldd pl,Y+HANDS+1
        ldi ph,2*PAWN
        rjmp search.drop

; -------------------------------------------------------------------- enum, root
; enum goes through all games of t plies, counting them, and plays the move that is in
; the line. root looks for the best move, which it writes to the line.
;   in   t = plies; root: ASKED bit 0 clear, LEVEL = t
;   out  enum: T set if the move was there, Y at the position behind it.
;        phase bit 0 set if there is a legal move, otherwise r0 = MATED-1 or STALE
;   uses everything; 4 words and search

enum:   sbi ASKED,0
root:   mov depth,t
        ldi best,NONE
        ldi beta,-NONE

; ------------------------------------------------------------------------ search
; Goes through the moves of the side to move and finds what it gains at best.
;   in   Y, depth, best = what it has elsewhere, beta
;   out  T set if the other side's king can be taken. If not, r0 = gain, or a bound of it
;        if that is not between best and beta
;   uses everything but Y; 93 words; 1,500 clocks and more at the end of the tree

search: ldd side,Y+SIDE
        movw zl,yl
        sbrs side,7
        adiw zl,BLACKS-WHITES
        ldd foel,Z+WHITES
        ldd foeh,Z+WHITES+1
        ldd emptyl,Y+WHITES
        ldd t,Y+BLACKS
        or emptyl,t
        com emptyl
        ldd emptyh,Y+WHITES+1
        ldd t,Y+BLACKS+1
        or emptyh,t
        com emptyh
        ldd allowl,Y+KINGS
        and allowl,foel
        ldd allowh,Y+KINGS+1
        and allowh,foeh
        clr delta
        clr phase
.phase: movw pl,emptyl          ; all own pieces
        or pl,foel
        or ph,foeh
        com pl
        com ph
.piece: movw xl,pl
        rcall lowest
        movw pl,xl
        movw froml,zl
        brcs pass
        movw xl,froml
        rcall column
        mov c,t
        rcall targets
        and xl,allowl
        and xh,allowh
.next:  rcall lowest
        movw setl,xl
        movw tol,zl
        brcs .out
        set
        tst phase
        breq return             ; a king
        clr k
        sbrs c,3
        rjmp .try
        if defined(AUTHOR)
        tst delta
        brne .try               ; dropped on the first rank
        endif
        movw xl,tol             ; a pawn: on the last rank?
        andi xh,$f0             ; It never comes to its first.
        andi xl,$0f
        or xl,xh
        breq .try
        ldi k,4
.try:   rcall reply
        brts .more              ; not legal
        ori phase,1
        sbic ASKED,0
        rjmp match
        tst r0
        brpl .more
        sub best,r0
        in t,LEVEL
        cp depth,t
        brne .cut
        ldi xl,low(line)        ; the best of the first ply
        rcall format
.cut:   cp best,beta
        brge .done
.more:  lsr k
        brne .try               ; the pawn becomes something else
        movw xl,setl
        rjmp .next
.out:   cpi phase,$c0
        brlo .piece
; Drops: ph is the kind, and its two bits are on top of pl.
.drop:  lsr ph
        brne .kind
        sbrs phase,0
        rjmp none
.done:  rjmp done
.kind:  mov t,pl
        lsl pl
        lsl pl
        cpi t,$40
        brlo .drop
        mov c,ph
        or c,side
        mul ph,ph               ; kinds 1, 2, 4, 8 are 1, 4, 16, 64 in the hand
        mov delta,r0
        movw xl,emptyl
        sbrs c,3
        rjmp .next
        if defined(AUTHOR)      ; pawns: not on the last rank
        sbrc side,7
        endif
        andi xh,$0f
        if defined(AUTHOR)
        sbrc side,6
        endif
        andi xl,$f0
        rjmp .next

; ------------------------------------------------------------------------- match
; A legal move, part of search: if it is the one in the line, stays behind it.

match:  ldi xl,low(text)
        rcall format
        ldi zl,low(line)
        ldi zh,high(line)
.char:  ld t,Z+
        ldd u,Z+text-line-1
        cp t,u
        brne search.more
        cpi t,13
        brne .char
        adiw yl,STATE
        set
        ret

; ------------------------------------------------------------------------- reply
; Makes the move at Y+STATE, lets the other side search, with the frame on the stack, and
; comes back. Values are what is gained from here on, so those of the other side are
; wanted between gain - beta and gain - best.
;   in   the frame
;   out  T set if the own king can be taken; r0 negative if the move is better than best,
;        by so much
;   uses t, u, r1, X, Z; 72 words; 400 clocks and those of search

reply:  ldi zl,FRAMED
        clr zh
.save:  ld t,-Z                 ; registers are at addresses 0 to 31
        push t
        cpi zl,FRAME
        brne .save
        movw xl,tol
        rcall column            ; what is taken
        sbrc t,5
        ldi t,PAWN
        andi t,15               ; a king's bit is gone
        mul t,t                 ; as in search
        sub r0,delta
        mov u,t                 ; the gain: of 1, 2, 4, 8 half of 15, 14, 12, 8
        neg u
        lsr u
        andi u,7
        mov t,c                 ; what stands there afterwards
        tst k
        breq .walk
        mov t,k
        ori t,FORMER
        or t,side
.walk:  mov r1,u
        sub r1,beta
        sub u,best
        mov beta,u
        mov best,r1
        dec depth
        movw xl,froml
        or xl,tol
        or xh,toh
        com xl
        com xh
        ldi zl,8
.board: ld u,Y                  ; clears both squares, and puts the piece on its boards
        and u,xl
        ldd r1,Y+1
        and r1,xh
        lsr t
        brcc .off
        or u,tol
        or r1,toh
.off:   std Y+STATE,u
        std Y+STATE+1,r1
        adiw yl,2
        dec zl
        brne .board
        ld t,Y                  ; hands
        ldd u,Y+1
        sbrc side,6
        add t,r0
        sbrc side,7
        add u,r0
        std Y+STATE,t
        std Y+STATE+1,u
        ldi t,WHITE+BLACK
        eor t,side
        std Y+STATE+2,t
        adiw yl,STATE-HANDS
        rcall search
        sub r0,beta
        rcall past              ; half a pawn for each time it has been there before
        add r0,k
        sbiw yl,STATE
        ldi zl,FRAME
        clr zh
.load:  pop t
        st Z+,t
        cpi zl,FRAMED
        brne .load
        ret

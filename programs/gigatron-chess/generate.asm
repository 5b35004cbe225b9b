; The move generator: all moves of the side to move, one by one, kings left in check
; among them.
;
; A coroutine. `captures` and `quiets` are jumped to, not called; each move is put in
; the frame and offered to the visitor, who makes it, looks at it, takes it back, and
; jumps to `resume`. What must outlive a visit stands in the frame, so that the same
; generator works at all plies at once. f_from, f_to and f_flag must be at `resume` what
; they were at the visit: a ray goes on from f_to.
;
; Captures are not looked for, they are looked up: for each enemy piece, dearest first,
; the attack maps tell who stands ready to take it, cheapest first, but the king before
; those that slide.

        column f_go, root, last, kind + 1 ; where `resume` goes on among the quiet moves, 0
                                        ; among the captures
        column f_list, root, last       ; the victim whose attackers take turns, or the
                                        ; own piece that moves
        column f_set, root, last        ; attackers of the victim that are still to come
        column f_table, root, last      ; page of the table that tells them by their bits
        column f_hop, root, last        ; place in `hops` of the direction in work
        column f_step, root, last       ; and that direction
        column f_ahead, root, last      ; a pawn's step

        section generator in zero
gen.low:    ds 1     ; low byte of a jump
gen.man:    ds 1     ; the piece in work
gen.to:     ds 1     ; a square
gen.list:   ds 1     ; the victim, while it is looked up
gen.set:    ds 1     ; attackers that are still to come
gen.dirs    equ gen.man     ; directions that are still to come
gen.from    equ gen.low

; Goes to one of the places that cells tell. 3 words and clocks.
macro depart(place)
        ld [place##.page],y
        onto(place)
endm

; The same, with Y loaded in the slot of a branch. 2 words and clocks.
macro onto(place)
        targets sync
        jmp y,[place##.low]
        nop
endm

; ---- captures ----------------------------------------------------------------------

        section captures in rom within=256

; Jumped to, with the frame at [fp]. Offers all captures and capture promotions, then
; those en passant, and goes to [captured.page]:[captured.low].
captures:
        sync
        ld [fp],y
        ld plain
        st [y,f_flag]
        st [y,f_go]
        suba [side]             ; AC = 0 for white, $ff for black
        anda north ^ (0 - north) & $ff  ; the bits in which 10 and -10 differ, or none
        xora north              ; turns 10 into -10 by them: 10 for white, -10 for black
        st [y,f_ahead]
        ld king ^ 1             ; the enemy's: he is no victim, those behind him are
        xora [side]
        st [gen.list]


; The next victim, behind [gen.list].
walk:   sync
        ld [gen.list],y
        ld [y,next]
        blt walk.last
        st [gen.list],y         ; (slot)
        ld [y,loc]
        st [gen.to],y
        ld [ownl],x
        ld [y,x]
        st [gen.set]
        ld [owns],x
        ora [y,x]
        beq walk                ; nobody attacks it
        nop
        sync
        ld leapidx
.found: ld [fp],y               ; AC = table, gen.set = attackers
        st [y,f_table]
        ld [gen.list]
        st [y,f_list]
        ld [gen.to]
        st [y,f_to]
        ld [gen.set]
        st [y,f_set]

; The next piece that takes. `resume` comes here after each.
take:   sync
        ld [fp],y
        ld [y,f_set]
        beq take.none
        st [gen.set],x          ; (slot)
        ld strip,y
        ld [y,x]
        ld [fp],y
        st [y,f_set]
        ld [y,f_table]
        ld ac,y
        ld [y,x]
        blt .pawn
        ora [side],y            ; (slot)
        ld [y,loc]
        ld [fp],y
        bra offer
        st [y,f_from]           ; (slot)

; A pawn: the table tells on which side of the square behind the victim it stands. In:
; AC = $81 and 1 more or less.
.pawn:  ld [fp],y
        suba $81
        adda [y,f_to]
        suba [y,f_ahead]
        st [y,f_from]

; It goes to f_to, in front of which the board may end. In: Y = [fp].
advance:
        ld [y,f_to]
        adda [y,f_ahead]
        ld ac,y
        ld [y,board]
        blt promotes
offer:  ld [visit.page],y       ; (slot)
        onto visit

; No more victims: en passant the victim is a square that own pawns attack.
walk.last:
        sync
        ld [ep]
        beq walk.gone
        st [gen.to],y           ; (slot)
        ld [ownl],x
        ld [y,x]
        anda 3
        st [gen.set]
        ld [fp],y
        ld passing              ; tells that no sliders come behind these pawns; the
        bra walk.found          ; same number as leapidx
        st [y,f_flag]           ; (slot)
walk.gone: depart captured

; Behind the leapers the sliders. Each direction of the map leads along a ray to a
; piece, whose bit goes into one set: that brings them into the order of their values.
; In: Y = [fp], gen.set = 0.
take.none:
        ld [y,f_list]
        st [gen.list]
        ld [y,f_table]
        xora slidx
        beq walk
        ld [y,f_flag]           ; (slot)
        bne walk.gone           ; en passant: all is done
        ld [y,f_to]             ; (slot)
        st [gen.to],y
        ld [owns],x
        ld [y,x]
        beq walk
        st [gen.dirs]           ; (slot)
gather:
        sync
        ld [gen.dirs]
        beq .all
        ld strip,y              ; (slot)
        ld [gen.dirs],x
        ld [y,x]
        st [gen.dirs]
        ld dircol,y
        ld [y,x]                ; the column with the slider's square
        ld ac,x
        ld [gen.to],y
        ld [y,x]
        ld ac,y
        ld [y,board]
        ld ac,y
        ld [y,bit]
        ora [gen.set]
        bra gather
        st [gen.set]            ; (slot)
.all:   bra walk.found
        ld slidx                ; (slot)

; ---- promotions, and the way back --------------------------------------------------

; The pawn from f_from to f_to promotes: queen, rook, bishop, knight, as far as there
; are free slots. Each time `resume` finds a promotion in the frame, it is the turn of the
; next lower kind.
promotes:
        ld [fp],y
        ld promote + 6
        st [y,f_flag]

; Goes on with the generator, from wherever the last move was offered. Jumped to by the
; visitor, to `resume.in` if there is time for it in the visitor's block.
resume: sync
.in:    ld [fp],y
        ld [y,f_flag]
        suba promote
        bgt .another
        ld [y,f_go]             ; (slot)
        beq take
        st [gen.low]            ; (slot)
        ld hi(piece),y
        targets sync
        jmp y,[gen.low]
        nop
.another:
        sync
        ld [fp],y
        ifdef HOST
        ld [rules]
        anda 4
        bne .all
        ld [y,f_flag]           ; (slot)
        suba promote + 5
        beq .enough
        nop
.all:
        endif
        ld [y,f_flag]
        suba 1
        st [y,f_flag]
        suba promote + 2
        blt .enough             ; the knight is behind us
        nop
        beq .knight
        ld [side]               ; (slot)
        adda freesl - freekn
.knight:
        adda freekn,x
        ld [x]
        blt resume
        ld [visit.page],y       ; (slot)
        targets sync
        jmp y,[visit.low]       ; (the slot is the next word)
.enough:
        ld plain
        bra resume
        st [y,f_flag]           ; (slot)
        stubs

; ---- quiet moves -------------------------------------------------------------------

        section quietly in rom within=256

; Jumped to behind `captures`, with the frame at [fp]. Offers all other moves and goes
; to [quieted.page]:[quieted.low].
quiets: sync
        ld [fp],y
        ld king
        bra piece.in
        ora [side]              ; (slot)

; The next piece of the list.
piece:  sync
        ld [fp],y
        ld [y,f_list]
        ld ac,y
        ld [y,next]
        blt piece.all
        ld [fp],y               ; (slot)
.in:    st [y,f_list]           ; AC = the piece, Y = [fp]
        st [gen.man],y
        ld [y,loc]
        ld [fp],y
        st [y,f_from]
        st [y,f_to]
        ld 0
        st [y,f_step]
        st [y,f_flag]
        ld [gen.man],y
        ld [y,kind]
        anda 7                  ; so that what lies behind `ways` is a place below
        adda kinds
        st [gen.man],y
        ld [y,hops]             ; the place before the first direction
        ld [fp],y
        st [y,f_hop]
        ld [gen.man]
        adda ways - kinds,y
        ld [y,hops]             ; one of the four places below
        ld [fp],y
        targets sync
        bra ac
        st [y,f_go]             ; (slot)

; No more pieces.
piece.all:
        depart quieted

; A pawn: one step and, from where it stood at first, two. Squares beyond the board
; tell both ranks that matter, whatever the colour.
pawn:   sync
        ld [fp],y
        ld [y,f_to]
        suba [y,f_from]
        beq .once
        ld [y,f_from]           ; (slot)
        suba [y,f_ahead]
        suba [y,f_ahead]
        ld ac,y
        ld [y,board]
        bge piece               ; two squares behind it there is still board
        ld [fp],y               ; (slot)
        ld double
        st [y,f_flag]
        ld low(piece)
        st [y,f_go]
        sync
        ld [fp],y
.once:  ld [y,f_to]
        adda [y,f_ahead]
        st [y,f_to]
        ld ac,y
        ld [y,board]
        bne piece
        ld hi(advance),y        ; (slot)
        jmp y,advance
        ld [fp],y               ; (slot)

; The king: castling first, short and then long. The rook is the nearest man on that
; side: king and rook stand where they stood at first as long as there is the right.
castling:
        sync
        ld [fp],y
        ifdef HOST
        ld [rules]
        anda 2
        beq .done
        nop
        sync
        ld [fp],y
        endif
        ld [y,f_step]           ; 2 short, 4 long, 6 neither
        adda 2
        st [y,f_step]
        adda nb1 - 2,x
        suba 6
        beq .done
        ld [y,f_from]           ; (slot)
        ld ac,y
        ld [y,x]
        st [gen.to]
        ld [y,rmask]
        st [gen.set]
        ld [oppl],x
        ld [y,x]
        ld [opps],x
        ora [y,x]
        bne .done               ; no castling out of check
        nop
        sync
        ld [gen.to],y
        ld [y,rmask]
        ora [gen.set]
        xora 15                 ; what the king would lose here and the rook there
        anda [rights]
        beq castling
        ld [fp],y               ; (slot)
        ld castle
        st [y,f_flag]
        ld [y,f_from]
        adda 6
        suba [y,f_step]
        suba [y,f_step]
        bra try.offer
        st [y,f_to]             ; (slot)
.done:  ld [fp],y
        ld plain
        st [y,f_flag]
        ld low(hop)
        st [y,f_go]

; The next direction of the piece. `resume` comes here after each step of a king or
; knight.
hop:    sync
        ld [fp],y
        ld [y,f_hop]
        adda 1
        st [y,f_hop]
        ld ac,y
        ld [y,hops]
        beq piece
        ld [fp],y               ; (slot)
        st [y,f_step]
        adda [y,f_from]
try:    st [y,f_to]
        ld ac,y
        ld [y,board]
        bne .met
.offer: ld [visit.page],y       ; (slot)
        targets sync
        jmp y,[visit.low]       ; (the slot is the next word)

; Something stands there. Sliders without a bit are in no set of attackers: they take here,
; and then their step is 0, so that they go no farther.
.met:   ld [spares]
        bge hop
        ld [fp],y               ; (slot)
        sync
        ld [fp],y
        ld [y,f_to]
        st [gen.to]
        ld [y,f_list]
        ld ac,y
        ld [y,bit]
        st [gen.set]
        ld [gen.to],y
        ld [y,board]            ; an enemy differs in bit 0, a guard has bit 7
        xora [side]
        anda guard | 1
        xora 1
        ora [gen.set]
        bne hop
        ld [fp],y               ; (slot)
        ld [y,f_step]
        beq hop
        ld 0                    ; (slot)
        st [y,f_step]
        bra .offer
        ld [visit.page],y       ; (slot)

; One square farther. A slider comes here at first, to find itself in its way, and
; `resume` after each of its steps.
slide:  sync
        ld [fp],y
        ld [y,f_to]
        bra try
        adda [y,f_step]         ; (slot)
        stubs

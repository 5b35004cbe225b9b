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
; the attack maps tell who stands ready to take it, cheapest first.

        column f_page, root, last       ; where `resume` goes on
        column f_go, root, last
        column f_list, root, last       ; the victim whose attackers take turns, or the
                                        ; own piece that moves
        column f_set, root, last        ; attackers of the victim that are still to come
        column f_hop, root, last        ; place in `hops` of the direction in work
        column f_step, root, last       ; and that direction
        column f_ahead, root, last      ; a pawn's step

        section generator in zero
gen.low:    ds 1     ; low byte of a jump
gen.man:    ds 1     ; the piece in work
gen.from:   ds 1     ; squares of the move in work
gen.to:     ds 1
gen.set:    ds 1     ; attackers that are still to come
gen.dirs:   ds 1     ; directions that are still to come
gen.offset: ds 1     ; of a pawn from its victim

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

; AC becomes one number for white and another for black. 4 words and clocks.
macro bycolour(white, black)
        ld 0
        suba [side]
        anda ((white) ^ (black)) & $ff
        xora (white) & $ff
endm

; ---- steps -------------------------------------------------------------------------
; One column: the directions of each kind of piece, one a page, 0 behind the last; and
; for each kind the place before the first of its directions.

rooks   equ $08
queens  equ rooks + 5
bishops equ queens + 4                  ; the second half of a queen's
knights equ queens + 9
kinds   equ knights + 9 - 2             ; of kind 0: the first is a knight's

        column hops, rooks, kinds + 6

; Fills this table, at boot. Not synced. Clobbers Y and gen.to.
        section steps in rom within=256
steps:  enter steps
        ld rooks
.each:  st [gen.to],y           ; the page that is next
        adda low(.list) - rooks
        bra ac                  ; one word of the list,
        slot bra .store         ; and from there
.list:  ld 10                   ; rooks
        ld 1
        ld -10
        ld -1
        ld 0
        ld 10                   ; queens and kings
        ld 1
        ld -10
        ld -1
        ld 11                   ; and bishops
        ld -9
        ld -11
        ld 9
        ld 0
        ld 8                    ; knights
        ld 12
        ld 19
        ld 21
        ld -8
        ld -12
        ld -19
        ld -21
        ld 0
        ld knights - 1          ; where a knight's begin, and those of dearer pieces
        ld bishops - 1
        ld rooks - 1
        ld queens - 1
        ld queens - 1
.store: st [y,hops]
        ld [gen.to]
        suba kinds + 6
        bne .each
        adda kinds + 6 + 1      ; (slot)
        leave steps

steps.page equ gen.man                  ; which is not in use yet
steps.low equ gen.low

; ---- captures ----------------------------------------------------------------------

; Jumped to, with the frame at [fp]. Offers all captures and capture promotions, then
; those en passant, and goes to [captured.page]:[captured.low].
; A victim without attackers costs 17 clocks, one with them about 100 and 22 more for
; each direction from which a slider comes; a capture costs 30, by a pawn 57.
        section captures in rom within=256
captures:
        sync
        ld [fp],y
        ld 0
        st [y,f_flag]
        ld hi(attackers)
        st [y,f_page]
        ld king ^ 1             ; the enemy's: he is no victim, those behind him are
        xora [side]
        bra walk
        st [gen.man]            ; (slot)

; The next victim. After the last attacker of one:
onward: sync
        ld [fp],y
.in:    ld [y,f_list]           ; Y = fp
        bra walk.next
        ld ac,y                 ; (slot)

; and while nobody attacks:
walk:   sync
        ld [gen.man],y
.next:  ld [y,next]             ; Y = the one before
        st [gen.man],y
        blt .last
        ld [y,loc]              ; (slot) behind the end of the list it reads rubbish
        st [gen.to],y
        ld [ownl],x
        ld [y,x]
        st [gen.set]
        ld [owns],x
        ora [y,x]
        beq walk                ; nobody attacks it
        nop
.found: sync
        ld [fp],y
        ld [gen.to]
        st [y,f_to]
        ld [gen.man]
        st [y,f_list]
        ld low(attackers)
        st [y,f_go]
        bra attackers.in
        ld [gen.set]            ; (slot)

; No more victims: en passant the victim is a square that own pawns attack.
.last:  ld [ep]
        beq .gone
        nop
        ld [ep],y
        ld [ownl],x
        ld [y,x]
        anda 3
        st [gen.set]
        ld [ep]
        st [gen.to]
        ld [fp],y
        ld passing              ; tells that no sliders come behind these pawns
        bra .found
        st [y,f_flag]           ; (slot)
.gone:  depart captured

; The next pawn or knight that takes. `resume` comes here after each.
attackers:
        sync
        ld [fp],y
        ld [y,f_set]
.in:    anda $3f                ; AC = leapers to come, Y = fp. The king comes last
        beq sliders
        st [gen.set],x          ; (slot)
        ld strip,y
        ld [y,x]
        ld [fp],y
        st [y,f_set]
        ld leapidx,y
        ld [y,x]
        beq .pawn
        ora [side],y            ; (slot)
        ld [y,loc]
        ld [fp],y
        st [y,f_from]
        depart visit
.pawn:  ld hi(pawntakes),y
        jmp y,pawntakes
        nop

; Then the sliders. Each direction of the map leads along a ray to a piece, whose bit
; goes into one set: that brings them into the order of their values.
sliders:
        ld [fp],y
        ld 0
        st [gen.set]
        ld [y,f_flag]
        bne walk.gone           ; en passant: all is done
        ld [y,f_to]             ; (slot)
        st [gen.to],y
        ld [owns],x
        ld [y,x]
        beq royal
        st [gen.dirs]           ; (slot)
.gather:
        sync
        ld [gen.dirs],x
        ld strip,y
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
        st [gen.set]
        ld [gen.dirs]
        bne .gather
        nop
        sync
        ld [fp],y
        ld low(take)
        st [y,f_go]
        bra take.in
        ld [gen.set]            ; (slot)

; The next slider that takes. `resume` comes here after each.
take:   sync
        ld [fp],y
        ld [y,f_set]
        beq royal
        nop
.in:    ld ac,x                 ; AC = sliders to come
        ld strip,y
        ld [y,x]
        ld [fp],y
        st [y,f_set]
        ld slidx,y
        ld [y,x]
        ora [side],y
        ld [y,loc]
        ld [fp],y
        st [y,f_from]
        depart visit

; The king last, and only if nobody guards the victim.
royal:  sync
        ld [fp],y
        ld [y,f_to]
        ld ac,y
        ld [ownl],x
        ld [y,x]
        anda $40
        beq onward.in
        ld [fp],y               ; (slot)
        ld [y,f_to]
        ld ac,y
        ld [opps],x
        ld [y,x]
        ld [oppl],x
        ora [y,x]
        bne onward
        ld king                 ; (slot)
        ora [side],y
        ld [y,loc]
        ld [fp],y
        st [y,f_from]
        ld low(onward)
        st [y,f_go]
        depart visit
        stubs

; ---- pawns that take, promotions ---------------------------------------------------

        section specials in rom within=256

; Goes on with the generator, from wherever the last move was offered. Jumped to by the
; visitor: 7 words to the next sync.
resume: ld [fp],y
        ld [y,f_go]
        st [gen.low]
        ld [y,f_page]
        ld ac,y
        targets sync
        jmp y,[gen.low]
        nop

; A pawn takes on f_to; the lowest bit of [gen.set] tells whether it comes from the east
; ($01) or the west ($02) of it.
pawntakes:
        sync
        bycolour -11, 9         ; where one that comes from the west stands
        st [gen.offset]
        ld [gen.set]
        anda 1
        adda ac                 ; the other one stands two squares farther
        adda [gen.offset]
        ld [fp],y
        adda [y,f_to]
        st [y,f_from]
        bycolour 10, -10
        adda [y,f_to]
        ld ac,y
        ld [y,board]
        blt promotes            ; behind the victim is the end of the board
        ld [visit.page],y       ; (slot)
        onto visit

; The pawn from f_from to f_to promotes: queen, rook, bishop, knight, as far as the
; rules and the free slots allow.
promotes:
        sync
        ld [fp],y
        ld hi(.another)
        st [y,f_page]
        ld low(.another)
        st [y,f_go]
        ld promote + 5
        st [y,f_flag]
        ld [side]
        adda freesl,x
        ld [x]
        blt .unslid
        ld [visit.page],y       ; (slot)
        onto visit
.unslid:
        ld [fp],y
        ld promote + 3          ; no slot for a queen, nor for rook and bishop
        st [y,f_flag]
.another:
        sync
        ifdef HOST
        ld [rules]
        anda 4
        beq .enough
        nop
        endif
        ld [fp],y
        ld [y,f_flag]
        suba 1
        st [y,f_flag]
        suba promote + 2
        blt .enough             ; the knight is behind us
        nop
        bne .offer
        ld [side]               ; (slot)
        adda freekn,x
        ld [x]
        blt .enough
        nop
.offer: depart visit
.enough:
        ld [fp],y
        ld 0
        st [y,f_flag]
        ld [y,f_to]
        ld ac,y
        ld [y,board]
        bne .taken
        ld [fp],y               ; (slot)
        ld hi(piece)            ; it had pushed: on with the next piece
        st [y,f_page]
        ld ac,y
        jmp y,piece
        nop
.taken: ld hi(attackers)        ; it had taken: on with the next attacker
        st [y,f_page]
        ld low(attackers)
        st [y,f_go]
        ld hi(attackers),y
        jmp y,attackers
        nop
        stubs

; ---- castling ----------------------------------------------------------------------

        section castles in rom within=256

; Jumped to, with the frame at [fp]. Offers all other moves and goes to
; [quieted.page]:[quieted.low]. A move costs 21 clocks, a direction that is blocked too,
; a piece 35 and a pawn about 65.
quiets: sync
        ld [fp],y
        bycolour 10, -10
        st [y,f_ahead]
        bycolour 3, 12          ; the side's two rights
        anda [rights]
        beq men
        nop
        ifdef HOST
        ld [rules]
        anda 2
        beq men
        nop
        endif
        sync
        ld [fp],y
        ld castle
        st [y,f_flag]
        ld hi(.long)
        st [y,f_page]
        ld low(.long)
        st [y,f_go]
        ld king
        ora [side],y
        ld [y,loc]
        st [gen.from]
        ld [fp],y
        st [y,f_from]
        ld ac,y
        ld [oppl],x
        ld [y,x]
        ld [opps],x
        ora [y,x]
        bne men                 ; no castling out of check
        nop

; What speaks against castling is gathered: it is seldom looked for in vain.
        sync
        bycolour 1, 4
        st [gen.set]
        anda [rights]
        xora [gen.set]          ; 0: the right is there
        st [gen.set]
        ld [gen.from]
        adda 1,y
        ld [y,board]
        ora [gen.set]
        st [gen.set]
        ld [gen.from]
        adda 2
        ld [fp],y
        st [y,f_to]
        ld ac,y
        ld [y,board]
        ora [gen.set]
        bne .long
        ld [visit.page],y       ; (slot)
        onto visit
.long:  sync
        bycolour 2, 8
        st [gen.set]
        anda [rights]
        xora [gen.set]
        st [gen.set]
        ld [fp],y
        ld low(men)
        st [y,f_go]
        ld [y,f_from]
        suba 1,y
        ld [y,board]
        ora [gen.set]
        st [gen.set]
        ld [fp],y
        ld [y,f_from]
        suba 2
        st [y,f_to]
        ld ac,y
        ld [y,board]
        ora [gen.set]
        bne men
        ld [fp],y               ; (slot)
        ld [y,f_from]
        suba 3,y
        ld [y,board]
        bne men                 ; b1 or b8
        ld [visit.page],y       ; (slot)
        onto visit

; All castling is done.
men:    sync
        ld [fp],y
        ld 0
        st [y,f_flag]
        ld hi(piece)
        st [y,f_page]
        ld king
        ora [side]
        st [y,f_list]
        ld hi(piece),y
        jmp y,piece.in
        nop
        stubs

; ---- quiet moves -------------------------------------------------------------------

        section quietly in rom within=256

; A pawn's second step, after the first was offered.
twosteps:
        sync
        ld [fp],y
        ld double
        st [y,f_flag]
        ld [y,f_to]
        adda [y,f_ahead]
        st [y,f_to]
        ld low(piece)
        st [y,f_go]
        depart visit

; The next piece of the list.
piece:  sync
        ld [fp],y
        ld [y,f_list]
        ld ac,y
        ld [y,next]
        blt .all
        ld [fp],y               ; (slot)
        st [y,f_list]
.in:    st [gen.man],y          ; AC = the piece
        ld [y,loc]
        ld [fp],y
        st [y,f_from]
        ld [gen.man],y
        ld [y,kind]
        suba 1
        beq pawn
        adda 1 + kinds          ; (slot)
        ld ac,y
        ld [y,hops]             ; the place before the first direction
        ld [fp],y
        st [y,f_hop]
        ld [gen.man],y
        ld [y,slides]
        beq .hops
        ld low(hop)             ; (slot)
        ld low(slide)
.hops:  ld [fp],y
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
        st [y,f_to]
        ld ac,y
        ld [y,board]
        bne hop
        ld [visit.page],y       ; (slot)
        onto visit

; One square farther. `resume` comes here after each step of a slider.
slide:  sync
        ld [fp],y
        ld [y,f_to]
        adda [y,f_step]
        st [y,f_to]
        ld ac,y
        ld [y,board]
        bne hop
        ld [visit.page],y       ; (slot)
        onto visit

; No more pieces.
piece.all:
        depart quieted

; A pawn: one step and, from where it stood at first, two. Squares beyond the board
; tell both ranks that matter, whatever the colour.
pawn:   ld [fp],y
        ld plain                ; behind two steps of the pawn before
        st [y,f_flag]
        ld low(piece)
        st [y,f_go]
        ld [y,f_from]
        adda [y,f_ahead]
        st [y,f_to]
        st [gen.to],y
        ld [y,board]
        bne piece
        nop
        sync
        ld [fp],y
        ld [gen.to]
        adda [y,f_ahead]
        ld ac,y
        ld [y,board]
        blt .eighth             ; beyond its step the board ends
        ld [fp],y               ; (slot)
        bne .single             ; the second step is barred
        ld [y,f_from]           ; (slot)
        suba [y,f_ahead]
        suba [y,f_ahead]
        ld ac,y
        ld [y,board]
        bge .single             ; two squares behind it there is still board
        ld [fp],y               ; (slot)
        ld low(twosteps)
        st [y,f_go]
.single:
        depart visit
.eighth:
        ld hi(promotes),y
        jmp y,promotes
        nop
        stubs

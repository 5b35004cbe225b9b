; Moves made and taken back
; =========================
;
; `make` makes the move of this ply's frame, `unmake` takes it back, so that all tables
; are as they were, byte for byte. Both do the same: a piece goes from one square to
; another. It leaves the maps of leapers, then the rays of the first square change; it
; comes to the maps of leapers, and the rays of the second square change. On the square
; f_to a victim may stand, which leaves lists and maps or returns to them in the same
; way: what a toggle changes it changes back.
;
; Special moves are plain moves too. When a king castles the rook goes first; a pawn that
; is taken en passant first steps back to where it can be taken. These second pieces have
; frames of their own, `second` pages behind. A pawn that promotes is another piece from
; the middle of its way on.

        section make_cells in zero
make.low: ds 1
make.page: ds 1
from:   ds 1            ; squares that the piece leaves and comes to: in `unmake` f_to and
to:     ds 1            ; f_from
flag:   ds 1            ; of the move; 0 for a second piece
man:    ds 1            ; the piece that moves
prize:  ds 1            ; the one on f_to, 0 none
stays:  ds 1            ; what stands on the square that is left: the prize put back or 0
deed:   ds 1            ; what is done with the rays next, a place in `go`
swapped: ds 1           ; where `go` goes on when a piece has taken the place of another;
                        ; tells `make` from `unmake`

; Changes sides. 11 words and clocks; AC.
macro turn()
        ld [side]
        xora 1
        st [side]
        ora sliderw             ; columns of two maps differ in a bit, those of two
        st [owns]               ; colours too
        xora 1
        st [opps]
        xora sliderw^leaperw
        st [oppl]
        xora 1
        st [ownl]
endm

; The end of `make` and `unmake`. 3 words and clocks.
        ifdef CHECK
macro finish()
        ld hi(compare),y
        jmp y,compare
        nop
endm
        else
macro finish()
        leave(make)
endm
        endif

        section make in rom within=256

; ---------------------------------------------------------------------- make, unmake
; make: makes a move and gives the turn to the other side.
;   in   f_from, f_to, f_flag of the frame [fp]
;   out  f_piece, f_victim, f_rights, f_ep; all tables; exposed: not 0 if the king that
;        stayed behind can be taken, or the rook it castled with
; unmake: takes back the move of the frame [fp], the last one made.
;   in   the frame
;   out  all as it was before `make`, byte for byte, but for the cells that it uses and
;        the fields of the frame
; Both use AC, X, Y, sq sp t, the cells of make, leap and rays.
; clocks: 750 to 960 to make a quiet move, 390 to 620 for a capture, 1,550 to castle; 380
; to 620, 360 to 600 and 950 to take it back

make:   enter(make)
        ld low(go.made)
        st [swapped]
        sync
        ld [fp]
        st [keep],y
        ld [rights]
        st [y,f_rights]
        ld [ep]
        st [y,f_ep]
        ld [y,f_flag]
        st [flag]
        ld 0
        st [ep]
        st [exposed]

; Forwards with the move of the frame [keep]. In: Y the same.
.forth: ld [y,f_from]
        st [from]
        ld [y,f_to]
        st [to],y
        ld [y,board]
        st [prize]
        ld [rights]
        anda [y,rmask]
        ld [from],y
        anda [y,rmask]
        st [rights]
        ld [keep],y
        ld [prize]
        st [y,f_victim]
        ld [flag]
        beq .plain
        st [stays]              ; (slot) 0
        sync
        ld 0
        st [stays]
        ld [fp]
        adda second,y
        ld [flag]
        suba castle
        bgt .plain              ; a promotion
        nop
        beq .castle
        ld [side]               ; (slot) a pawn: the square behind f_to
        beq .white
        ld [to]                 ; (slot)
        adda 2*north
.white: suba north
        st [y,f_from]
        ld [flag]
        suba passing
        beq .passing
        ld [to]                 ; (slot)
        ifdef HOST
        ld [rules]
        anda 1
        beq .plain
        nop
        endif
        ld [y,f_from]
        st [ep]
.plain: ld low(go.vacate)
        st [deed]
.go:    sync
        ld hi(go),y
        jmp y,go                ; (the slot is the next word)
.castle: ld [to]
        suba [from]
        blt .long
        ld [to]                 ; (slot)
        adda east
        st [y,f_from]
        bra .passing
        suba 2*east             ; (slot)
.long:  suba 2*east
        st [y,f_from]
        adda 3*east
.passing: st [y,f_to]
        sync
        ld 0
        st [flag]
        ld [fp]
        adda second

; The same with the frame AC.
.frame: bra .forth
        st [keep],y             ; (slot)

unmake: enter(make)
        ld low(go.left)
        st [swapped]
.turn:  sync
        turn()
        ld [swapped]
        xora low(go.made)
        beq .finish
        nop
        sync
        ld [fp],y
        ld [y,f_rights]
        st [rights]
        ld [y,f_ep]
        st [ep]
        ld [y,f_flag]
        st [flag]
        ld [fp]

; Back with the move of the frame AC.
.back:  st [keep],y
        ld low(go.unoccupy)
        st [deed]
        ld [y,f_victim]
        st [prize]
        st [stays]
        ld [y,f_from]
        st [to]
        ld [y,f_to]
        bra make.go
        st [from]               ; (slot)
.finish: finish()

; ----------------------------------------------------------------------------- crown
; The pawn becomes another piece between its squares: a free slot joins the list behind
; the king. Or that is taken back, and it is a pawn again. A free slot has 0 in all
; columns that a piece changes, but for its link.
;   in   man, flag, side, keep; comes by `jmp`
;   out  man, what it has become; f_piece, the pawn; goes to go.same

crown:  sync
        ld [flag]
        suba promote+2
        beq .knight
        ld freekn               ; (slot)
        ld freesl
.knight: adda [side],x
        ld [man],y
        ld [y,kind]
        suba 1
        beq .pawn
        ld [man]                ; (slot)
        ld [x]                  ; it is no pawn
        st [y,next]
        ld [man]
        st [x]
        ld 0
        st [y,kind]
        st [y,slides]
        st [y,loc]
        st [y,prev]
        ld [keep],y
        ld [y,f_piece]
        bra .done
        st [man]                ; (slot)
.pawn:  ld [keep],y
        st [y,f_piece]
        ld [x]
        st [man],y
        ld [y,next]
        st [x]
        ld [side]
        ora king
        st [y,prev]
        ld ac,y
        ld [y,next]
        ld [man],y
        st [y,next]
        ld [flag]
        anda 7
        st [y,kind]
        adda first.k,y
        ld [y,slidesof]
        ld [man],y
        st [y,slides]
.done:  sync
        ld hi(go.same),y
        jmp y,go.same
        nop
        stubs

        section go in rom within=256

; -------------------------------------------------------------------------------- go
; The piece on [from] goes to [to].
;   in   from, to, flag, prize, stays, swapped, fp; keep: the frame, of a second piece
;        too; deed: `vacate` or `unoccupy`
;   out  goes on with the second piece or the first, if there is one, else to `unmake.turn`
;        or back from `unmake`

go:     ld hi(.rays)
        st [return]             ; nobody changes it until the piece is there
        ld [from],y
        ld [y,board]
        st [man]
        ld [stays]
        st [y,board]
        ld [from]

; One of the two squares, AC. Leapers leave the map or come to it, and so do pieces that
; a promotion changes, which leave the list or join it too.
.square: st [sq]
        ld [man]
        st [sp],y
        ld [y,slides]
        st [reach]
        ld hi(leap),y
        ld [flag]
        suba promote
        bge .listed
        ld [reach]              ; (slot)
        bne .rays
        ld low(.rays)           ; (slot)
        jmp y,leap
        nop
.listed: jmp y,strike
        ld low(.rays)           ; (slot)

; Then the rays.
.rays:  sync
        ld hi(vacate),y         ; all of them but `occupy` are there
        targets .vacate, .occupy, .unoccupy, .unvacate
        bra [deed]
        ld [prize]              ; (slot)
.vacate: ld low(.occupy)
        st [deed]
        jmp y,vacate
        ld low(.left)           ; (slot)
.occupy: bne .swap
        ld hi(occupy),y         ; (slot)
        jmp y,occupy
        ld low(.made)           ; (slot)
.unoccupy: ld low(.unvacate)
        st [deed]
        ld [prize]
        bne .swap
        nop
        jmp y,unoccupy
        nop
.unvacate: jmp y,unvacate
        ld low(.unmade)         ; (slot)

; It takes the place of another piece, or gives it back.
.swap:  st [sp]
        ld hi(strike),y
        jmp y,strike
        ld low(.struck)         ; (slot)
.struck: sync
        ld hi(exchange),y
        jmp y,exchange
        ld [swapped]            ; (slot)

; It has left the first square.
.left:  sync
        ld [flag]
        suba promote
        blt .same
        ld hi(crown),y          ; (slot)
        jmp y,crown             ; (the slot is the next word)
.same:  ld [to]
        ld [man],y
        st [y,loc]
        ld [to],y
        ld [man]
        st [y,board]
        bra .square
        ld [to]                 ; (slot)

; It has come to the second square. Is the king in check? When he castles the rook came
; first: where it is now he has gone across.
.made:  sync
        ld [keep]
        suba [fp]
        bne .second
        ld [side]               ; (slot)
        ora king,y
        ld [y,loc]
.look:  ld ac,y
        ld [opps],x
        ld [y,x]
        ld [oppl],x
        ora [y,x]
        ora [exposed]
        st [exposed]
        ld [keep]
        suba [fp]
        bne .next
        ld hi(unmake.turn),y    ; (slot)
        jmp y,unmake.turn       ; (the slot is the next word)
.second: ld [reach]
        bne .look
        ld [to]                 ; (slot) else a pawn that is about to be taken en passant
.next:  sync
        ld hi(make.frame),y
        jmp y,make.frame
        ld [fp]                 ; (slot)

; It is back. Is there a second piece?
.unmade: sync
        ld [flag]
        suba passing
        anda $fe
        bne .finish
        st [flag]               ; (slot)
        ld hi(unmake.back),y
        ld [fp]
        jmp y,unmake.back
        adda second             ; (slot)
.finish: finish()
        stubs

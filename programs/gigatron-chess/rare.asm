; What makes special moves special
; ================================
;
; The part of a double step, of en passant, castling and promotion that a plain move
; does not do: `make` does it before the plain move. `unmake` comes here too, before
; the plain move is taken back, and has its end redirected to where the rest is done.

        section rare_cells in zero
after.low: ds 1         ; where `unmake` goes back to in the end
after.page: ds 1
prize:  ds 1            ; square of a pawn taken en passant, or the rook's new one
corner: ds 1            ; the rook's old one
castler: ds 1           ; that rook
drawn:  ds 1            ; low byte of where `crown.draw` goes on
changed equ prize       ; 0 a pawn is promoted, 1 it becomes a pawn again

; Sets `prize` and `sq` to the square behind [to], as the side to move sees it. 8 words,
; 7 or 8 clocks; AC = prize, Y = prize.
macro behind()
        ld [side]
        beq .white
        ld [to]
        adda 2*north
.white: suba north
        st [prize]
        st [sq],y
endm

; Where the rook goes from and to. 12 words; AC.
macro rooks()
        ld [to]
        suba [from]
        blt .long
        ld [to]
        adda east
        st [corner]
        suba 2*east
        bra .short
        st [prize]
.long:  suba 2*east
        st [corner]
        adda 3*east
        st [prize]
.short:
endm

; Page [fp] + second: what the rook's square remembers. 3 words; AC, Y.
macro second_page()
        ld [fp]
        adda second
        st [keep],y
endm

; Lets `leave(make)` go to the place in this section that AC tells. 9 words; AC.
macro redirect()
        st [t]
        ld [make.low]
        st [after.low]
        ld [make.page]
        st [after.page]
        ld [t]
        st [make.low]
        ld hi(.here)
        st [make.page]
.here:
endm

        section rare in rom within=256

; ------------------------------------------------------------------------------ rare
; Before the plain move.
;   in   AC = flag; from, to, man, victim, reach, side, fp; comes by `jmp`
;   out  ep; man, victim and reach of the plain move; goes to make.plain

rare:   suba castle
        beq .castle
        nop
        blt .pawn
        ld hi(crown),y
        jmp y,crown
        ld 0                    ; a promotion
.pawn:  behind()
        ld [flag]
        suba passing
        beq .passing
        ifdef HOST
        ld [rules]
        anda 1
        beq .plain
        nop
        endif
        ld [prize]
        st [ep]
.plain: ld hi(make.plain),y
        jmp y,make.plain
        nop

; The pawn taken en passant goes. reach is that of a pawn, nothing.
.passing: sync
        ld [sq],y
        ld [y,board]
        st [victim]
        ld 0
        st [y,board]
        ld [victim]
        ld [fp],y
        st [y,f_victim]
        call(vacate)
        sync
        call(strike)
        sync
        ld 0
        bra .plain
        st [victim]

; The rook goes first.
.castle: sync
        rooks()
        ld $0f
        st [reach]
        ld [corner]
        st [sq],y
        ld [y,board]
        st [castler]
        ld 0
        st [y,board]
        sync
        call(vacate)
        sync
        put castler, prize
        second_page()
        call(occupy)
        sync
        ld 0
        st [reach]
        ld low(.castled)
        redirect()
        bra .plain
        nop
.castled: sync
        ld [prize],y            ; the king has gone across this square
        ld [owns],x             ; (it is the other side's turn)
        ld [exposed]
        ora [y,x]
        ld [ownl],x
        ora [y,x]
        st [exposed]
        leave(after)
        stubs

        section unrare in rom within=256

; ---------------------------------------------------------------------------- unrare
; Before the plain move is taken back, and behind it.
;   in   AC = flag; from, to, victim, fp; comes by `jmp`
;   out  victim of the plain move; goes to unmake.plain

unrare: suba castle
        beq .behind
        ld low(.rook)
        ld [flag]
        suba passing
        blt .plain
        nop
        bgt .behind
        ld low(.promoted)
        ld 0
        st [victim]
        ld low(.pawn)
.behind: redirect()
.plain: ld hi(unmake.plain),y
        jmp y,unmake.plain
        nop

.pawn:  sync
        behind()
        ld [fp],y
        ld [y,f_victim]
        st [victim]
        ld [sq],y
        st [y,board]
        sync
        call(revive)
.back:  sync
        ld [prize]
        st [sq]
        ld [after.page]
        st [return]
        ld hi(unvacate),y
        jmp y,unvacate
        ld [after.low]

.rook:  sync
        rooks()
        ld $0f
        st [reach]
        second_page()
        ld [prize]
        st [sq],y
        ld [y,board]
        st [castler]
        sync
        call(unoccupy)
        sync
        ld [prize],y
        ld 0
        st [y,board]
        put castler, corner
        bra .back
        st [prize]

.promoted: sync
        ld hi(crown),y
        jmp y,crown
        ld 1                    ; taken back
        stubs

        section crown in rom within=256

; ----------------------------------------------------------------------------- crown
; The pawn becomes another piece where it stands: a free slot takes its place, and
; joins the list behind the king. Or that is taken back, by the same steps: it becomes a
; pawn again. A free slot has 0 in all columns that a piece changes, but for its link.
;   in   AC = 0 promotion, 1 taken back; man, from, reach, flag, side, fp; comes by `jmp`
;   out  man and reach of what it has become; goes to make.plain or where `after` says

crown:  st [changed]
        bra .draw
        ld low(.cut)
.cut:   sync
        cut man
        ld [flag]
        suba promote+2
        beq .knight
        ld freekn
        ld freesl
.knight: adda [side],x
        ld [changed]
        bne .free
        ld [x]
        st [man],y
        ld [y,next]
        st [x]
        ld [flag]
        suba promote
        st [y,kind]
        adda first.k,y
        ld [y,slidesof]
        ld [man],y
        st [y,slides]
        ld [side]
        ora king
        st [y,prev]
        st [t],y
        ld [y,next]
        ld [man],y
        bra .tie
        st [y,next]
.free:  ld [man],y
        st [y,next]
        ld 0
        st [y,kind]
        st [y,slides]
        st [y,loc]
        st [y,prev]
        ld [man]
        st [x]
        ld [fp],y
        ld [y,f_piece]
        st [man]
.tie:   sync
        tie man
        put man, from
        ld [y,slides]
        st [reach]
        bra .draw
        ld low(.tied)
.tied:  sync
        ld [changed]
        beq .promoted
        nop
        leave(after)
.promoted: ld hi(make.plain),y
        jmp y,make.plain
        nop

; Toggles what [man] on [from] attacks; goes on in this section, at AC.
.draw:  st [drawn]
        sync
        ld [from]
        st [sq]
        ld [man]
        st [sp]
        ld 0
        st [prey]
        st [also]
        ld hi(.draw)
        st [return]
        ld [reach]
        beq .leaper
        ld hi(exchange),y
        jmp y,exchange
        ld [drawn]
.leaper: ld hi(leap),y
        jmp y,leap
        ld [drawn]
        stubs

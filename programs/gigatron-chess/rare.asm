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
crowned: ds 1           ; slot of a promoted piece, or the rook that castles
pool:   ds 1            ; list of free slots

; Sets `prize` to the square behind [to], as the side to move sees it. 7 words, 6 or 7
; clocks; AC = prize.
macro behind()
        ld [side]
        beq .white
        ld [to]
        adda 2*north
.white: suba north
        st [prize]
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

; Page [fp] + second: what a slot, or the rook's square, remembers. 3 words; AC, Y.
macro second_page()
        ld [fp]
        adda second
        st [keep],y
endm

; The list of free slots that a promotion draws from. 7 words; AC, X.
macro slots()
        ld [flag]
        suba promote+2
        beq .knight
        ld freekn
        ld freesl
.knight: adda [side]
        st [pool],x
endm

; Copies a byte from a column to another, pages by cells. 4 words and clocks; AC, Y.
macro copy(source, of, target, to)
        ld [of],y
        ld [y,source]
        ld [to],y
        st [y,target]
endm

; Lets `leave(make)` go to another place. 8 words; AC.
macro redirect(place)
        ld [make.low]
        st [after.low]
        ld [make.page]
        st [after.page]
        ld low(place)
        st [make.low]
        ld hi(place)
        st [make.page]
endm

        section rare in rom within=256

; ------------------------------------------------------------------------------ rare
; Before the plain move.
;   in   AC = flag; from, to, man, victim, reach, side, fp; comes by `jmp`
;   out  ep; man, victim and reach of the plain move; goes to make.plain

rare:   suba double
        beq .double
        suba passing-double
        beq .passing
        suba castle-passing
        beq .castle
        ld hi(crown),y
        jmp y,crown
        nop
.double: ld [rules]
        anda 1
        beq .plain
        nop
        behind()
        st [ep]
.plain: ld hi(make.plain),y
        jmp y,make.plain
        nop

; The pawn taken en passant goes.
.passing:
        behind()
        st [sq],y
        ld [y,board]
        st [victim]
        ld [fp],y
        st [y,f_victim]
        ld [sq],y
        ld 0
        st [y,board]
        sync
        call(strike)
        sync
        ld [prize]
        st [sq]
        call(vacate)
        sync
        ld 0
        st [victim]
        bra .plain
        nop

; The rook goes first.
.castle:
        rooks()
        ld [corner]
        st [sq],y
        ld [y,board]
        st [crowned]
        ld 0
        st [y,board]
        ld [crowned],y
        ld [y,slides]
        st [reach]
        sync
        call(vacate)
        sync
        put crowned, prize
        second_page()
        call(occupy)
        sync
        ld [prize],y            ; the king will have gone across this square
        ld [opps],x
        ld [y,x]
        ld [oppl],x
        ora [y,x]
        st [pool]
        ld 0
        st [reach]
        redirect(.castled)
        bra .plain
        nop
.castled: sync
        ld [exposed]
        ora [pool]
        st [exposed]
        leave(after)
        stubs

        section unrare in rom within=256

; ---------------------------------------------------------------------------- unrare
; Before the plain move is taken back, and behind it.
;   in   AC = flag; from, to, victim, fp; comes by `jmp`
;   out  victim of the plain move; goes to unmake.plain

unrare: suba double
        beq .plain
        suba passing-double
        beq .passing
        suba castle-passing
        beq .castle
        nop
        redirect(uncrown)
.plain: ld hi(unmake.plain),y
        jmp y,unmake.plain
        nop
.castle: redirect(.rook)
        bra .plain
        nop
.passing:
        ld 0
        st [victim]
        redirect(.pawn)
        bra .plain
        nop

.pawn:  sync
        behind()
        st [sq]
        ld 0
        st [reach]
        call(unvacate)
        sync
        ld [fp],y
        ld [y,f_victim]
        st [victim]
        ld [prize]
        st [sq],y
        ld [victim]
        st [y,board]
        sync
        call(revive)
        sync
        leave(after)

.rook:  sync
        rooks()
        ld [prize]
        st [sq],y
        ld [y,board]
        st [crowned],y
        ld [y,slides]
        st [reach]
        second_page()
        sync
        call(unoccupy)
        sync
        ld [prize],y
        ld 0
        st [y,board]
        put crowned, corner
        call(unvacate)
        sync
        leave(after)
        stubs

        section crown in rom within=256

; ----------------------------------------------------------------------------- crown
; The pawn becomes another piece where it stands: a free slot takes its place, and
; joins the list behind the king.

crown:  sync
        ld 0
        st [also]
        ld [from]
        st [sq]
        ld [man]
        st [sp]
        call(leap)
        sync
        cut man
        slots()
        ld [x]
        st [crowned],y
        ld [y,next]
        st [x]
        second_page()
        sync
        copy kind, crowned, f_near, keep        ; what it was when last in use
        copy slides, crowned, f_near1, keep
        copy loc, crowned, f_near2, keep
        copy prev, crowned, f_near3, keep
        ld [crowned],y
        ld [flag]
        suba promote
        st [y,kind]
        adda first.k,y
        ld [y,slidesof]
        st [reach]
        ld [crowned],y
        st [y,slides]
        sync
        ld [side]
        ora king
        st [t],y
        ld [y,next]
        ld [crowned],y
        st [y,next]
        st [leap.bit],y         ; (the end of the list: page 0)
        ld [crowned]
        st [y,prev]
        ld [t],y
        st [y,next]
        ld [t]
        ld [crowned],y
        st [y,prev]
        put crowned, from
        ld [crowned]
        st [man]
        sync
        ld 0
        st [prey]
        st [also]
        ld [reach]
        beq .leaper
        ld [man]
        call_for exchange, .done
.leaper: st [sp]
        call(leap)
.done:  sync
        ld hi(make.plain),y
        jmp y,make.plain
        nop

        stubs

        section uncrown in rom within=256

; --------------------------------------------------------------------------- uncrown
; It becomes a pawn again.

uncrown: sync
        ld [from]
        st [sq]
        ld 0
        st [prey]
        st [also]
        ld [reach]
        beq .leaper
        ld [man]
        call_for exchange, .done
.leaper: st [sp]
        call(leap)
.done:  sync
        cut man
        slots()
        ld [man],y
        ld [x]
        st [y,next]
        ld [man]
        st [x]
        second_page()
        sync
        copy f_near, keep, kind, man
        copy f_near1, keep, slides, man
        copy f_near2, keep, loc, man
        copy f_near3, keep, prev, man
        ld [fp],y
        ld [y,f_piece]
        st [sp]
        sync
        tie sp
        ld [from]
        st [sq],y
        ld [sp]
        st [y,board]
        call(leap)
        sync
        leave(after)
        stubs

; The search: alpha-beta, deeper and deeper, captures to the end.
;
; There is no stack of return addresses: a node has a frame, the page `fp`, and all that
; ends a node goes to `known`, which finds in the frame below where the move came from.
;
;   think ── deepen ─> inner ─> captures ──┐        generator: goes to `visit` with each
;              ^         ^                 v        move, and waits for `resume`
;              │         │   ┌───────── visit <────┐
;              │         │   v                     │
;              │       node <─ sink (make)     resume, the next move
;              │                                   ^
;              └─ over <── known ─── (unmake) ─────┘
;
; The moves of a node: all that are like the one that was best or refuted a sister before,
; then all others, captures first. The generator runs twice for that: `stage` tells which
; of them are wanted. What is like what, tells a key made from the squares of a move. With
; less than two plies left there is one run, and pawns become queens only.
;
; A node with no ply left is quiet: its side may stand pat on the score as it is, and only
; captures are tried. Just above it, with one ply left, a move is not made if the score
; after it is no better than alpha: the other side would stand pat. The score is exact
; all the same. To know mate from stalemate one legal move has to be made in each node.
;
; A side in check has one ply more, if any is left.
;
; A move of the root that brings back a position of the game is worth a draw (`before` in
; rules.asm).
;
; A score that is no better than alpha comes back as alpha: only bounds from above are
; lost, and nobody asks for them. Beta is nowhere: it is the complement of the alpha in
; the frame before, and alpha begins as what it is two frames before. All places that are
; jumped to take what they need from the frame and from cells; AC, X, Y and the cells from
; `way` on are theirs. A node is some 2,100 clocks without syncs and filler, more than half
; of them to make and unmake moves.

;                               the frame: of the node
        column f_alphal, root - 1, last ; the least that its side has for sure; before
        column f_alphah, root - 1, last ; the root what the other side has
        column f_scorel, root, last     ; what the position is worth by itself
        column f_scoreh, root, last
        column f_depth, root, last      ; plies left
        column f_stage, root, last      ; 0 moves like the key, 1 all others
        column f_legal, root, last      ; not 0: a move was legal. Less than 0: others
                                        ; need not be made if the score behind them is
                                        ; low enough
        column f_check, root, last      ; not 0: in check
;                               and of the ply: what refuted last, see `visit`
        column f_key, root, last

; The best move, and the keys of the best line from here on, see `choose`: PLIES at most,
; 0 behind the last.
PLIES   equ 8
        ifdef CHECK             ; (there are columns of its own)
f_best  equ $80                         ; from, to and flag
        else
f_best  equ $c6
        endif
f_line  equ f_best + 3
        reserve f_lines, root, last, f_best, f_line + PLIES

infinite equ 62                         ; high byte beyond all scores
mate    equ 60                          ; of the side that is mated, less than 0; the
                                        ; low byte is the page of its frame

; The columns of worth have the low bytes of the cells from here on, where a store to one
; of them would come if its page were 0. So these are cells that no jump and no address
; depends on; `way` and `think` stand where no such column is.
        section search.cells in zero
        org worthw
way:    ds 1            ; 1 to the next frame, -1 back
level:  ds 1            ; time for a move in 64 frames (1.07 s), 0 for 256 of them
deepest: ds 1           ; iterations at most, 0 for 16
ticks:  ds 1            ; time that is over
mark:   ds 1            ; frame up to which it was counted
turns:  ds 1            ; iteration; the LEDs show it
strict: ds 1            ; $FF if `stop` counts: not before a move was found
think.page: ds 1        ; where `think` goes back to
think.low: ds 1
source: ds 1            ; square of the move that is looked at
moved:  ds 1            ; change of the score by it

        ifdef HOST
        section budget.cells in zero
        org $e7
budget: ds 2            ; nodes at most, in 256, 0 without limit
nodes:  ds 3            ; moves made, low byte first
        endif

        section search in rom within=256

; The generator has a move. What does it change?
visit:  sync
        ld [fp],y
        ld [y,f_depth]
        suba 2
        bge choose
        ld [y,f_scorel]         ; (slot)
.chosen:
        st [score.low]
        ld [y,f_scoreh]
        st [score.high]
        ld [y,f_flag]
        suba passing
        bge rare
        ld [y,f_from]           ; (slot)
        st [source],y
        ld [y,board]
        ld ac,y
        ld [mine]
        adda [y,kind]
        ld ac,x                 ; column of what moves
        ld [source],y
        ld [y,x]
        st [moved]
        ld [fp],y
        ld [y,f_to]
        st [spot],y
        ld [y,x]
        suba [moved]
        st [moved]
        ld [y,board]
        beq settle
        st [named]              ; (slot)

; It takes something. With no ply left a victim that is guarded and of a lower kind than
; what takes it is left alone.
        sync
        ld [spot],y
        ld [oppl],x
        ld [y,x]
        ld [opps],x
        ora [y,x]
        beq worth
        ld [fp],y               ; (slot)
        ld [y,f_depth]
        bgt worth
        ld [source],y           ; (slot)
        ld [y,board]
        ld ac,y
        ld [y,kind]
        ld [named],y
        suba [y,kind]
        ble worth
        ld hi(resume),y         ; (slot)
dismiss:
        jmp y,resume.in         ; this move is done with (the slot is the next word)
worth:  ld [named],y
        ld [mine]
        xora worthx
        adda [y,kind]
        ld ac,x
        ld [spot],y
        ld [y,x]
        adda [moved]
        st [moved]

; What the move changes is known. If the other side may stand pat behind it, is the score
; better than alpha?
settle: sync
        ld [score.low]
        adda [moved],x
        mend
        ld [fp],y
        ld [y,f_legal]
        bge sink
        ld [score.high]         ; (slot)
        suba [y,f_alphah]
        bne .differ
        nop
        ld [score.low]
        suba [y,f_alphal]
.differ:
        ble dismiss
        ld hi(resume),y         ; (slot)

; Makes the move.
sink:   ld hi(made)
        st [return]
        ld hi(make),y
        jmp y,make
        ld low(made)            ; (slot)

; More than one piece changes. Is it a pawn that should become a queen? In: Y = [fp].
rare:   ld [y,f_depth]
        suba 2
        bge sink
        ld [y,f_flag]           ; (slot)
        adda promote - 5        ; its bit is set for promote + 2 to promote + 4 only
        anda promote
        beq sink
        ld hi(resume),y         ; (slot)
later:  jmp y,resume            ; (the slot is the next word)

; With two plies left or more half of the moves wait: they are alike if from + 2 to is the
; same. In: Y = [fp].
choose: ld [y,f_to]
        adda ac
        adda [y,f_from]
        xora [y,f_key]
        bne .other
        ld [fp]                 ; (slot)
        xora root               ; at the root only the best move itself: if the time ends
        bne .like               ; behind it, no worse one has come before
        ld [y,f_stage]          ; (slot)
        ld [best.from]
        xora [y,f_from]
        bne .other
        ld [best.to]            ; (slot)
        xora [y,f_to]
        beq .like
        ld [y,f_stage]          ; (slot)
.other: ld [y,f_stage]
        xora 1
.like:  bne later               ; 0: its turn is now
        ld hi(resume),y         ; (slot)
        sync
        ld [fp],y
        bra visit.chosen
        ld [y,f_scorel]         ; (slot)

; The captures of this node are done.
caught: sync
        ld [fp],y
        ld [y,f_depth]
        ble failed
        ld hi(quiets),y         ; (slot)
        jmp y,quiets
        nop

; And its quiet moves.
spent:  sync
        ld [fp],y
        ld [y,f_legal]
        blt failed
        ld [y,f_stage]          ; (slot)
        beq .again
        ld [y,f_legal]          ; (slot)
        bne failed
        ld [y,f_check]          ; (slot)
        bne .mated
        ld drawl                ; (slot)
        st [score.low]
        bra failed.high
        ld drawh                ; (slot)
.mated: ld [fp]
        st [score.low]
        bra failed.high
        ld 0 - mate             ; (slot)

.again: ld 1
        st [y,f_stage]
        ld hi(captures),y
        jmp y,captures          ; (the slot is the next word)

; All moves were tried: the score is alpha.
failed: ld [fp],y
        ld [y,f_alphal]
        st [score.low]
        ld [y,f_alphah]
.high:  ld hi(known),y
        jmp y,known
        st [score.high]         ; (slot)

        stubs

        section nodes in rom within=256

; The move is made.
made:   sync
        ld [fp],y
        ld [y,f_flag]
        suba passing
        bge lists
        ld [exposed]            ; (slot)
made.told:
        bne illegal
        ld 1                    ; (slot)

; Goes to the next frame and the other side, or back. In: AC = 1, -1.
swapover: st [way]
        adda [fp]
        st [fp]
        ld [mine]
        xora worthx
        st [mine]
        flip
        ld [way]
        bgt node
        ld [fp],y               ; (slot)

; Takes the move back. An illegal one is forgotten: way is 1.
illegal:
        st [way]
        call unmake
        sync
        ld [stop]               ; then the score means nothing
        anda [strict]
        bne known
        ld [way]                ; (slot)
        bgt proceed.on
        ld hi(resume),y         ; (slot)
        ld [fp],y
        ld [y,f_depth]          ; there was a legal move: odd, and below 0 if others
        adda ac                 ; need not be made
        suba 3
        st [y,f_legal]

; Is the score better than alpha? In: Y = [fp], score. 8 words to the next `sync`.
weigh:  ld [score.high]
        suba [y,f_alphah]
        bne .differ
        nop
        ld [score.low]
        suba [y,f_alphal]
.differ:
        ble proceed
        nop

; And no worse than beta? Then the move refutes the one before it, and the sisters of that
; one try it early.
        sync
        ld [fp]
        suba 1,y
        ld [score.high]
        adda [y,f_alphah]
        adda 1
        bne .far
        nop
        ld [score.low]
        adda [y,f_alphal]
        adda 1
.far:   blt .inside
        ld [fp],y               ; (slot)
        ld [y,f_to]
        adda ac
        adda [y,f_from]
        bra known
        st [y,f_key]            ; (slot)
.inside: ld [score.low]
        st [y,f_alphal]
        ld [score.high]
        st [y,f_alphah]
        ld [y,f_depth]
        ble proceed

; The line from here is this move and the line of the frame above, copied key by key.
        ld [y,f_flag]           ; (slot)
        st [y,f_best + 2]
        ld [y,f_from]
        st [y,f_best]
        ld [y,f_to]
        st [y,f_best + 1]
        adda ac
        adda [y,f_from]
        st [y,f_line]
        ld f_line
.move:  st [moved]
        adda 1
        st [source]
        sync
        ld [fp]
        adda 1,y
        ld [moved],x
        ld [y,x]
        ld [fp],y
        ld [source],x
        st [y,x]
        ld [moved]
        suba f_line + PLIES - 2
        bne .move
        adda f_line + PLIES - 1 ; (slot)

; The next move of this node, or the first if it has just begun.
proceed:
        ld [way]
        blt .on
        ld hi(resume),y         ; (slot)
        ld hi(captures),y
        jmp y,captures
        nop
.on:    jmp y,resume
        nop

; Searches the position behind the move. In: Y = [fp].
node:   sync
        ld [fp]
        suba 2,y
        ld [y,f_alphal]
        st [source]
        ld [y,f_alphah]
        ld [fp],y
        st [y,f_alphah]
        ld [source]
        st [y,f_alphal]
        ld [fp]
        suba 1,y
        ld [y,f_depth]
        suba 1
        ld [fp],y
        st [y,f_depth]
        ld [score.low]
        st [y,f_scorel]
        ld [score.high]
        st [y,f_scoreh]
        ld 0
        st [y,f_line]
        ifdef TIMED
        ld [fp]
        xora root + 1
        beq .game
        ld hi(rooted),y         ; (slot)
        jmp y,rooted            ; (the slot is the next word)
.game:  ld hi(before),y
        jmp y,before            ; (the slot is the next word)
        else
        ld hi(rooted),y
        jmp y,rooted
        nop
        endif

; The lists tell the score.
lists:  call assess
        sync
        bra made.told
        ld [exposed]            ; (slot)

; The node has its score.
known:  sync
        ld [fp]
        xora root
        bne swapover
        ld -1                   ; (slot)
        ld hi(over),y
        jmp y,over
        nop
        stubs

        section think in rom within=256

; A node: looks at the clock. Goes on at `known` or with the generator. In: fp. With HOST
; it is counted before, see below.
        ifndef HOST
rooted:
        endif
clock:  sync
        ld [frames]
        suba [mark]
        anda $c0
        bne watch
        ld [fp],y               ; (slot)
.in:    ld [fp]
        xora last
        beq .known              ; there is no frame above
        ld [y,f_depth]          ; (slot)
        bgt inner
        ld -1                   ; (slot)
        ; Quiescence: standing pat is weighed like a move, the first.
        st [y,f_legal]
        ld hi(weigh),y
        jmp y,weigh
        ld [fp],y               ; (slot)
.known: ld hi(known),y
        jmp y,known
        nop

; 64 frames are over. Ends the search when its time is. In: AC = 64.
watch:  adda [mark]
        st [mark]
        ld [ticks]
        adda 1
        st [ticks]
        xora [level]
        bne .on
        ld 1                    ; (slot)
        st [stop]
.on:    sync
        bra clock.in
        ld [fp],y               ; (slot)

; A node with plies left. Is its king attacked? In: fp.
inner:  sync
        ld king
        adda [side],y
        ld [y,loc]
        ld ac,y
        ld [oppl],x
        ld [y,x]
        ld [opps],x
        ora [y,x]
        ld [fp],y
        st [y,f_check]
        beq .calm
        ld [y,f_depth]          ; (slot)
        adda 1
        st [y,f_depth]
.calm:  ld 0
        st [y,f_legal]
        st [y,f_stage]
        ld hi(captures),y
        jmp y,captures
        nop

; Finds a move. In: the position as `setup` or moves left it with fp = root, level,
; deepest, budget. Out: best (best.from is 0 if there is none), score if the last
; iteration came to its end, nodes, turns. `stop` ends it as soon as there is a move.
think:  enter think
        sync
        ld hi(visit)
        st [visit.page]
        st [captured.page]
        st [quieted.page]
        ld low(visit)
        st [visit.low]
        ld low(caught)
        st [captured.low]
        ld low(spent)
        st [quieted.low]
        call appraise
        sync
        ld [mine]
        xora worthx
        st [mine]
        ld root,y
        ld [score.low]
        xora $ff
        st [y,f_scorel]
        ld [score.high]
        xora $ff
        st [y,f_scoreh]
        ld [frames]
        st [mark]
        ld 0
        st [y,f_best]
        st [y,f_line]
        st [y,f_line + PLIES]
        st [turns]
        st [strict]
        st [stop]
        st [ticks]
        ifdef HOST
        st [nodes]
        st [nodes + 1]
        st [nodes + 2]
        endif

; The next iteration. The best line is tried first.
deepen: ld root - 1
.key:   adda 1
        st [spot]
        sync
        ld [spot]
        adda f_line - root,x
        ld root,y
        ld [y,x]
        ld [spot],y
        st [y,f_key]
        bne .key
        ld [spot]               ; (slot)
        ld root,y
        ld [turns]
        adda 1
        st [turns]
        st [led]
        st [y,f_depth]
        ld 0 - infinite
        st [y,f_alphah]
        ld root - 1,y
        bra inner
        st [y,f_alphah]         ; (slot)

; An iteration is over, or the time is.
over:   sync
        ld root,y
        ld [y,f_best]
        st [best.from]
        ld [y,f_best + 1]
        st [best.to]
        ld [y,f_best + 2]
        st [best.flag]
        ld [stop]
        anda [strict]
        bne .done
        ld $ff                  ; (slot)
        st [strict]
        ; Deeper, if the other side is not mated,
        ld [score.high]
        suba mate - 1
        bge .done
        ; not as deep as wanted,
        ld [turns]              ; (slot)
        xora [deepest]
        anda $0f
        beq .done
        ; and half of the time is left.
        ld [level]              ; (slot)
        beq deepen
        ld [ticks]              ; (slot)
        adda ac
        suba [level]
        ble deepen
.done:  ld 0                    ; (slot)
        st [led]
        leave think
        stubs

        ifdef HOST
        section counted.nodes in rom within=256

; Counts a node, and looks whether as many are made as are wanted.
rooted: sync
        ld [nodes]
        adda 1
        st [nodes]
        bne .on
        ld hi(clock),y          ; (slot)
        sync
        ld [nodes + 1]
        adda 1
        st [nodes + 1]
        bne .low
        nop
        ld [nodes + 2]
        adda 1
        st [nodes + 2]
.low:   ld [nodes + 1]
        xora [budget]
        bne .clock
        ld [nodes + 2]          ; (slot)
        xora [budget + 1]
        bne .clock
        ld 1                    ; (slot)
        st [stop]
.clock: ld hi(clock),y
.on:    jmp y,clock
        nop
        stubs
        endif

; The search: alpha-beta, deeper and deeper, captures to the end.
;
; There is no stack of return addresses: a node has a frame, the page `fp`, and all that
; ends a node goes to `returned`, which finds in the frame below where the move came from.
;
;   think ── deepen ─> node ─> captures ──┐        generator: goes to `visit` with each
;              ^         ^                v        move, and waits for `resume`
;              │         │   ┌──────── visit <────┐
;              │         │   v                    │
;              │         └─ sink (make)     resume, the next move
;              │                                  ^
;              └─ over <── known ───> returned (unmake)
;
; The moves of a node: that of the line which was best one ply shallower, captures, the
; killer (the quiet move that was the last to refute a sister), the other quiet moves.
; The generator runs twice over the quiet moves: `stage` tells which of them are wanted.
;
; A node with no ply left is quiet: its side may stand pat on the score as it is, and only
; captures are tried. Just above it, with one ply left, a move is not made if the score
; after it is no better than alpha: the other side would stand pat. The score is exact
; all the same. To know mate from stalemate one legal move has to be made in each node.
;
; A side in check has one ply more, if any is left.
;
; A score that is no better than alpha comes back as alpha: only bounds from above are
; lost, and nobody asks for them. All places that are jumped to take what they need from
; the frame and from cells; AC, X, Y and the cells from `source` on are theirs. A node is
; some 2,000 clocks without syncs: 1,060 to make and unmake moves, 450 for the generator,
; 500 here and in evaluate.asm.

;                               the frame: of the node
        column f_alphal, root, last     ; window
        column f_alphah, root, last
        column f_betal, root, last
        column f_betah, root, last
        column f_scorel, root, last     ; what the position is worth by itself
        column f_scoreh, root, last
        column f_depth, root, last      ; plies left
        column f_stage, root, last      ; -1 move of the line or standing pat,
                                        ; 0 captures and, with one ply left,
                                        ; all others, 1 the killer, 2 the rest
        column f_legal, root, last      ; not 0: a move was legal. Less than 0: others need not be
                                        ; made if the score behind them is low enough
        column f_check, root, last      ; not 0: in check
        column f_first, root, last      ; move of the line: from (0 none), to, flag
        column f_firstto, root, last
        column f_firstflag, root, last
;                               and of the ply: the killer, from and to
        column f_killer, root, last
        column f_killerto, root, last

; The best line from here on: from, to and flag of each move, 0 behind the last.
PLIES   equ 12
f_line  equ $80
f_end   equ f_line + 3 * PLIES          ; always 0
        reserve f_lines, root, last, f_line, f_end

infinite equ 62                         ; high byte beyond all scores
mate    equ 60                          ; of the side that is mated, less than 0; the
                                        ; low byte is the page of its frame
deep    equ 15                          ; iterations at most; the LEDs show which

        section search.cells in zero
nodes:  ds 3            ; moves made, low byte first
level:  ds 1            ; time for a move in 64 frames (1.07 s), 0 for 256 of them
deepest: ds 1           ; iterations at most, 0 without limit
budget: ds 2            ; nodes at most, in 256, 0 without limit
ticks:  ds 1            ; what is left of the time
mark:   ds 1            ; frame up to which it was counted
turns:  ds 1            ; iteration
strict: ds 1            ; $FF if `stop` counts: not before a move was found
source: ds 1            ; the move that is looked at
special: ds 1           ; its flag
moved:  ds 1            ; change of worth of the piece that moves
follow: ds 1            ; column of the root's frame with the next move of the line
below:  ds 1            ; page of the next frame
high.alpha: ds 1        ; on the way from frame to frame
low.alpha: ds 1
high.beta: ds 1
low.beta: ds 1
rest:   ds 1
found.low: ds 1         ; score of the last whole iteration
found.high: ds 1
think.page: ds 1        ; where `think` goes back to
think.low: ds 1

        section visit in rom within=256

; The generator has a move.
visit:  sync
        ld [fp],y
        ld [y,f_first]
        xora [y,f_from]
        beq .first
        ld [y,f_stage]
        bne hunt
        nop

; Works out the score after the move. The move of the line comes here directly.
consider:
        sync
        ld [fp],y
        ld [y,f_scorel]
        st [score.low]
        ld [y,f_scoreh]
        st [score.high]
        ld [y,f_flag]
        st [special]
        suba passing
        bge sink                ; more than one piece changes
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
        st [named]
        beq settle
        ld hi(captive),y        ; (slot)
        jmp y,captive
        nop

; What the move changes is known. If the other side may stand pat behind it, is the score
; then better than alpha?
settle: sync
        ld [score.low]
        adda [moved]
        ld ac,x
        ld norm,y
        ld [y,x]
        st [score.low]
        ld carry,y
        ld [y,x]
        adda [score.high]
        st [score.high]
        ld [fp],y
        ld [y,f_legal]
        bge sink
        nop
        ld [fp],y
        ld [score.high]
        suba [y,f_alphah]
        bne .differ
        nop
        ld [score.low]
        suba [y,f_alphal]
.differ:
        ble dismiss
        nop

; Makes the move and goes to its node, if it is legal.
sink:
        call make
        sync
        ld [special]
        suba passing
        blt .known
        nop
        call assess
.known: sync
        ld [fp],y
        ld [y,f_betal]
        xora $ff
        st [low.alpha]
        ld [y,f_betah]
        xora $ff
        st [high.alpha]
        ld [y,f_alphal]
        xora $ff
        st [low.beta]
        ld [y,f_alphah]
        xora $ff
        st [high.beta]
        ld [y,f_depth]
        suba 1
        st [rest]
        sync
        ld [fp]
        adda 1,y
        ld [low.alpha]
        st [y,f_alphal]
        ld [high.alpha]
        st [y,f_alphah]
        ld [low.beta]
        st [y,f_betal]
        ld [high.beta]
        st [y,f_betah]
        ld [rest]
        st [y,f_depth]
        ld [score.low]
        xora $ff
        st [y,f_scorel]
        ld [score.high]
        xora $ff
        st [y,f_scoreh]
        ld 0
        st [y,f_line]
        ld [exposed]
        bne .illegal
        ld hi(node),y
        jmp y,node
        nop

.illegal:
        call unmake
        sync

; This move is done with.
dismiss:
        ld hi(resume),y
        jmp y,resume
        nop

; It starts where the move of the line does. That was searched already.
visit.first:
        sync
        ld [fp],y
        ld [y,f_to]
        xora [y,f_firstto]
        st [heft]
        ld [y,f_flag]
        xora [y,f_firstflag]
        ora [heft]
        beq dismiss
        ld [y,f_stage]
        beq consider

; A quiet move: is it the killer, and is it its turn? Behind `visit` and its block.
hunt:   ld [fp],y               ; (slot)
        ld [y,f_to]
        xora [y,f_killerto]
        st [heft]
        ld [y,f_from]
        xora [y,f_killer]
        ora [heft]
        bne .other
        ld [y,f_stage]          ; (slot)
        xora 3                  ; the killer's turn is 1, that of the others 2
.other: suba 1
        bne consider
        nop
        bra dismiss
        nop
        stubs

        section node in rom within=256

; Searches the position behind the move. In: the next frame from f_alphal to f_depth and
; f_line. Ends at `known`.
node:   sync
        ld [fp]
        adda 1
        st [fp]
        ld [mine]
        xora worthx
        st [mine]
        ld [nodes]
        adda 1
        st [nodes]
        beq watch               ; looks at the clock, and comes back
        nop

; Searches the position of the frame.
rooted: sync
        ld [fp],y
        ld [y,f_scorel]
        st [score.low]
        ld [y,f_scoreh]
        st [score.high]
        ld 0
        st [y,f_stage]
        st [y,f_first]
        ld [fp]
        xora last
        beq .known              ; there is no frame below
        ld [y,f_depth]          ; (slot)
        bgt inner
        ld -1                   ; (slot)
        ; Quiescence: standing pat is a move like others, the first, and takes
        ; something, for it becomes no killer.
        st [y,f_legal]
        st [y,f_stage]
        st [y,f_victim]
        ld hi(weigh),y
        jmp y,weigh
        ld [fp],y               ; (slot)
.known: ld hi(known),y
        jmp y,known
        nop

; A node with plies left. Is its king attacked?
inner:  sync
        ld king
        adda [side]
        ld ac,y
        ld [y,loc]
        ld ac,y
        ld [oppl],x
        ld [y,x]
        ld [opps],x
        ora [y,x]
        ld [fp],y
        st [y,f_check]
        beq .calm
        ld [y,f_depth]
        adda 1
        st [y,f_depth]
.calm:  ld 0
        st [y,f_legal]
        ; The move of the line comes first.
        ld [follow],x
        ld root,y
        ld [y,x]
        st [source]
        bne leading
        ld f_end
        st [follow]
        ld hi(captures),y
        jmp y,captures
        nop

; Takes the next move of the line before all others. In: follow.
leading:
        sync
        ld root,y
        ld [follow]
        adda 1
        ld ac,x
        ld [y,x]
        st [spot]
        ld [follow]
        adda 2
        ld ac,x
        ld [y,x]
        st [special]
        ld [follow]
        adda 3
        st [follow]
        ld [fp],y
        ld [source]
        st [y,f_from]
        st [y,f_first]
        ld [spot]
        st [y,f_to]
        st [y,f_firstto]
        ld [special]
        st [y,f_flag]
        st [y,f_firstflag]
        ld -1
        st [y,f_stage]
        ld hi(consider),y
        jmp y,consider
        nop

; Every 256 nodes: counts them, and ends the search when its time or nodes are used up.
watch:
        ld [nodes + 1]
        adda 1
        st [nodes + 1]
        bne .nodes
        nop
        ld [nodes + 2]
        adda 1
        st [nodes + 2]
.nodes: ld [nodes + 1]
        xora [budget]
        st [heft]
        ld [nodes + 2]
        xora [budget + 1]
        ora [heft]
        beq .stop
        nop
        sync
        ld [frames]
        suba [mark]
        anda $c0
        beq .on
        adda [mark]
        st [mark]
        ld [ticks]
        suba 1
        st [ticks]
        bne .on                 ; without limit they begin at 0, and 255 are a while
        nop
.stop:  ld 1
        st [stop]
.on:    bra rooted
        nop

        stubs

        section result in rom within=256

; The captures of this node are done.
caught: sync
        ld [fp],y
        ld [y,f_depth]
        ble failed
        suba 1
        beq .quiet              ; all at once with one ply left
        ld 1
        st [y,f_stage]
.quiet: ld hi(quiets),y
        jmp y,quiets
        nop

; And its quiet moves.
spent:  sync
        ld [fp],y
        ld [y,f_stage]
        suba 1
        beq .rest
        ld [y,f_legal]
        bne failed
        nop
        ld [fp],y
        ld [y,f_check]
        bne .mated
        nop
        ld drawl
        st [score.low]
        ld drawh
        bra known
        st [score.high]
.mated: ld [fp]
        st [score.low]
        ld 0 - mate
        bra known
        st [score.high]
.rest:  ld 2
        st [y,f_stage]
        ld hi(quiets),y
        jmp y,quiets
        nop

; The move refutes the one before it. If it is quiet its sisters try it early. In: Y = [fp].
cut:    ld [y,f_flag]
        anda $ff ^ double
        ora [y,f_victim]
        bne known
        ld [y,f_from]           ; (slot)
        st [y,f_killer]
        ld [y,f_to]
        bra known
        st [y,f_killerto]       ; (slot)

; All moves were tried: the score is alpha. In: Y = [fp].
failed: ld [y,f_alphal]
        st [score.low]
        ld [y,f_alphah]
        st [score.high]

; The node has its score.
known:  ld [fp]
        xora root
        bne returned
        ld hi(over),y
        jmp y,over
        nop

; Back in the node above: takes the move back and looks at its score.
returned:  sync
        ld [fp]
        suba 1
        st [fp]
        call unmake
        sync
        ld [mine]
        xora worthx
        st [mine]
        flip
        ld [fp],y
        ld [y,f_depth]          ; there was a legal move: odd, and below 0 if others
        adda ac                 ; need not be made
        suba 3
        st [y,f_legal]

; What is the score of a move worth? In: Y = [fp], score. 7 words to the next `sync`.
weigh:  ld [score.high]
        suba [y,f_alphah]
        bne .differ
        nop
        ld [score.low]
        suba [y,f_alphal]
.differ:
        ble proceed
        nop
        sync
        ld [fp],y
        ld [score.high]
        suba [y,f_betah]
        bne .far
        nop
        ld [score.low]
        suba [y,f_betal]
.far:   bge cut
        ld [score.low]          ; (slot)
        st [y,f_alphal]
        ld [score.high]
        st [y,f_alphah]
        ld [y,f_depth]
        ble proceed
        nop

; The score is better than alpha and no refutation: the line from here is this move and
; the line of the frame above, copied whole, byte by byte.
        sync
        ld [stop]               ; then the score means nothing
        anda [strict]
        bne proceed
        ld [fp],y               ; (slot)
        ld [y,f_from]
        st [y,f_line]
        ld [y,f_to]
        st [y,f_line + 1]
        ld [y,f_flag]
        st [y,f_line + 2]
        ld f_line
        st [moved]
.move:  sync
        ld [fp]
        adda 1,y
        ld [moved],x
        ld [y,x]
        st [source]
        ld [moved]
        adda 3,x
        ld [fp],y
        ld [source]
        st [y,x]
        ld [moved]
        adda 1
        st [moved]
        xora f_end - 3
        bne .move
        nop

; The next move of this node.
proceed:
        sync
        ld [stop]
        anda [strict]
        bne known
        ld [fp],y
        ld [y,f_stage]
        bge .more
        ld hi(resume),y
        ld [fp],y
        ld 0
        st [y,f_stage]
        ld hi(captures),y
        jmp y,captures
        nop
.more:  jmp y,resume
        nop

        stubs

        section think in rom within=256

; Finds a move. In: the position as `setup` or moves left it with fp = root, level,
; deepest, budget. Out: best (best.from is 0 if there is none), score, nodes, turns.
; `stop` ends it as soon as there is a move.
think:  enter think
        sync
        ld hi(visit)
        st [visit.page]
        ld low(visit)
        st [visit.low]
        ld hi(caught)
        st [captured.page]
        ld low(caught)
        st [captured.low]
        ld hi(spent)
        st [quieted.page]
        ld low(spent)
        st [quieted.low]
        ld 0
        st [nodes]
        st [nodes + 1]
        st [nodes + 2]
        st [turns]
        st [strict]
        st [stop]
        ld [level]
        st [ticks]
        ld [frames]
        st [mark]
        ; No killer, no line.
        ld last
        st [below]
.clear: sync
        ld [below],y
        ld 0
        st [y,f_killer]
        st [y,f_killerto]
        st [y,f_line]
        st [y,f_end]
        ld [below]
        suba 1
        st [below]
        suba root
        bge .clear
        nop
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

; The next iteration.
deepen:
        ld [turns]
        adda 1
        st [turns]
        st [led]
        ld root,y
        st [y,f_depth]
        ld 0
        st [y,f_alphal]
        st [y,f_betal]
        ld 0 - infinite
        st [y,f_alphah]
        ld infinite
        st [y,f_betah]
        ld f_line
        st [follow]
        ld hi(rooted),y
        jmp y,rooted
        nop

; An iteration is over, or the time is.
over:   sync
        ld root,y
        ld [y,f_line]
        st [best.from]
        ld [y,f_line + 1]
        st [best.to]
        ld [y,f_line + 2]
        st [best.flag]
        ld [stop]
        anda [strict]
        bne .done
        ld $ff
        st [strict]
        ld [score.low]
        st [found.low]
        ld [score.high]
        st [found.high]
        ; Deeper, if there is a move, if no mate is seen,
        suba mate - 1
        bge .done
        ld [score.high]
        adda mate
        ble .done
        ld [best.from]          ; (slot)
        beq .done
        nop
        ; not as deep as wanted,
        sync
        ld [turns]
        xora [deepest]
        beq .done
        ld [turns]
        xora deep
        beq .done
        ; and half of the time is left.
        ld [level]
        beq deepen
        ld [ticks]
        adda [ticks]
        suba [level]
        bgt deepen
        nop
.done:  ld [found.low]          ; that of the last whole iteration
        st [score.low]
        ld [found.high]
        st [score.high]
        ld 0
        st [led]
        leave think

        stubs


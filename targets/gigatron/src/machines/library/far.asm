; Jumps and calls beyond the page. A branch names the low byte of its target only; a far
; jump takes the page from Y. Each macro ends with its slot, which is a word of the
; caller's if `slot` is given.
;
;         include <gigatron/far.asm>
;         far(menu)                       ; for `bra menu` where that is elsewhere
;         call(multiply, way)             ; two cells keep the way back
;         …
; multiply: …
;         return(way)

; Goes to a label in any page. Clocks: 3. Words: 3. Clobbers Y.
        macro far(label, slot = nop)
        ld hi(label),y
        jmp y,label
        slot
        endm

; Goes to a routine in any page, with the address behind the macro in two cells.
; Clocks: 7. Words: 7. Clobbers AC and Y.
        macro call(routine, cell, slot = nop)
        local here
        ld hi(here)
        st [cell + 1]
        ld lo(here)
        st [cell]
        far(routine, slot)
here:
        endm

; Goes on where two cells say. Clocks: 3. Words: 3. Clobbers Y.
        macro return(cell, slot = nop)
        ld [cell + 1],y
        jmp y,[cell]
        slot
        endm

; Goes to a routine in the same page, with the address behind the macro in AC: the
; routine ends with `bra ac` and its slot. Both are kept in one page. Clocks: 2. Words: 2.
        macro near_call(routine)
        local here
        same_page here, routine
        bra routine
        ld lo(here)             ; in the slot
here:
        endm

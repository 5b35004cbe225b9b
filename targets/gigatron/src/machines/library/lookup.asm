; Tables in ROM. A program cannot read its ROM; it runs into it. A table is a page
; of up to 251 words `ld byte`, and the five words at its end fetch one of them:
;
;         section squares in rom align=256, size=256
; square: repeat 16, i
;         ld i * i
;         endr
;         lookup(square, got)
;         st [result]             ; executes on the way to `got`
;
;         ld hi(square),y
;         jmp y,square + LOOKUP
;         ld [number]             ; in the slot: which one
; got:    …                       ; 8 clocks after the jump, AC is the byte

LOOKUP  equ 251

        macro lookup(page, back)
        repeat LOOKUP - ($ - page)
        nop
        endr
        bra ac                  ; to the byte, which
        slot bra page + 253     ; executes alone, for here it goes on
        ld hi(back),y
        jmp y,back
        endm

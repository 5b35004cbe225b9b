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


; Tables of any length: the directive `romtable` spreads its bytes over pages, puts the
; five words behind those of each, and finds them a place.
;
;         romtable picture, back = drawn
;         incbin "picture.bin"
;         endtable
;
; Element i is the byte i % picture.per of page hi(picture) + i / picture.per, so a
; pointer into a table is two cells: the page and the place in it.

; Fetches the byte that two cells point at: execution goes on at the table's `back`,
; 9 clocks after the first word, with the byte in AC.
; Clobbers Y. Words: 3.
        macro fetch(table, page, place)
        ld [page],y
        jmp y,table##.entry
        ld [place]              ; in the slot
        endm

; Likewise, with the return address put into the cells of a table that has
; `back = [cell]`; execution goes on behind the macro. Clocks: 13. Words: 7.
        macro fetch_here(table, page, place, cell)
        local here
        ld lo(here)
        st [cell]
        ld hi(here)
        st [cell + 1]
        fetch(table, page, place)
here:
        endm

; Points two cells at the first byte of a table. Clocks: 4. Clobbers AC.
        macro rewind(table, page, place)
        ld hi(table)
        st [page]
        ld 0
        st [place]
        endm

; Moves two cells on to the next byte of a table. Clocks: 9 on both paths. Words: 12.
; Clobbers AC. Its words must lie in one page.
        macro advance(table, page, place)
        local carry, join
        ld [place]
        xora table##.per - 1      ; the last byte of the page?
        beq carry
        ld [page]               ; in the slot
        nop
        bra join
        ld [place]              ; in the slot
carry:  adda 1
        st [page]
        ld -1                   ; one before the first
join:   adda 1
        st [place]
        endm

; Points two cells at element high:low of a table of 128 bytes in a page (`per = 128`).
; Clocks: 13 on both paths. Words: 15. Clobbers AC. Its words must lie in one page.
        macro locate(table, high, low, page, place)
        local odd, found
        assert table##.per == 128, "`locate` divides by 128: say `per = 128` for the table"
        ld [low]
        anda $7f
        st [place]
        ld [high]
        adda [high]
        adda hi(table)
        st [page]
        ld [low]
        blt odd
        ld [page]               ; in the slot
        bra found
        nop
odd:    nop
        adda 1
found:  st [page]
        endm

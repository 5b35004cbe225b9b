; Calls between pages. A return address is a low byte in AC, on its way through the
; delay slot, and a page in the cell `return`.

; Calls a routine anywhere. 5 words, 5 clocks; AC, Y.
macro call(routine)
        ld hi(.back)
        st [return]
        ld hi(routine),y
        jmp y,routine
        ld low(.back)           ; (slot)
.back:
endm

; Calls a routine that comes back to another place, where a `sync` is. 5 words, 5 clocks;
; AC, Y.
macro call_on(routine, place)
        ld hi(place)
        st [return]
        ld hi(routine),y
        jmp y,routine
        ld low(place)           ; (slot)
endm

; Keeps the return address in `name.low` and `name.page`. 3 words and clocks; AC.
macro enter(name)
        st [name##.low]
        ld [return]
        st [name##.page]
endm

; Goes back. 3 words and clocks; Y. AC is the routine's answer: the slot is free. If the
; caller is in another block of time, it goes on with a `sync`.
macro leave(name)
        ld [name##.page],y
        targets sync
        jmp y,[name##.low]
        nop
endm

; Goes far. 3 words and clocks; Y.
macro goto(place)
        ld hi(place),y
        jmp y,place
        nop
endm

; Blocks of time: `sync` begins one, and what is late goes to the shell. Without TIMED
; they cost nothing and mean nothing: the routines alone, for hosts that call them.
        ifdef TIMED
        slices left, back, late, LIMIT
        else
macro sync()
endm
macro stubs()
endm
        endif

; Blocks of time where there is no picture: what stands here for the shell, so that
; `sync` and `stubs` mean what they will. Every block that comes too late gets a line's
; time anew, at once.

        section time in zero
left:   ds 1            ; clocks until the deadline, less those of the longest block
back:   ds 1            ; where a late block goes on: low byte,
backpage: ds 1          ; and page

        slices left, back, late, 40

        section late in rom within=256
late:   st [backpage]
        ld [backpage],y
        jmp y,[back]
        ld 120

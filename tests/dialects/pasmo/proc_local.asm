        org 100h
x1:     db 1
        proc
        dw x1
        local x1
        dw x1
x1:     db 2
        proc
        local x1
x1:     db 3
        dw x1
        endp
        dw x1
outside: db 4
        endp
        dw x1, outside
p2:     proc
        endp
        dw p2

        ds 3
        ds 2,0ffh
        defs 1+1, 'x'
n       equ 2
        ds n*2, -1
        ds 0

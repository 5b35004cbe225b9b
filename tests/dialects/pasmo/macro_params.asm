; whole names only, never in strings; missing ones are nothing, more are ignored
mm      macro p1, p1p
        db p1, p1p, "p1"
        endm
        mm 1, 2
        mm "a,b", 3, 4, 5
opt     macro p1
        db 1 p1
        endm
        opt
        opt +5

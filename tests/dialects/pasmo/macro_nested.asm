inner   macro p1
        db p1, p1+1
        endm
outer   macro p1
        inner p1*2
        inner p1
        endm
        outer 5
again   macro p1
        if p1 > 0
        db p1
        again p1-1
        endif
        endm
        again 3

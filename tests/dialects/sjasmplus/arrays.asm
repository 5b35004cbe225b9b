        defarray list 10,20,30,"ab"
        db list[0],list[1],list[2],list[3]
i       = 1
        db list[i],list[i+1],list[#]
        defarray+ list 40
        db list[4],list[#]
        defarray regs b,c,d
n       = 0
        dup 3
        ld regs[n],n
n       = n+1
        edup

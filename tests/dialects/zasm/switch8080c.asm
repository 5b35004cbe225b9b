        .asm8080
#target bin
#code one,100h
Lab     lxi h,LAB
        ds 3
        rst 3

; places in a map, and a size
        size 20
        map #e000
one:    # 1
two     # 2
three:  #4
four    # 1
        org #4000
        ld a,(one)
        ld hl,(two)
        ld (three),hl
        dw four

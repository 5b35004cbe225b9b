        irp rr1, b, c, (hl)
        ld a,rr1
        endm
        irp v, 1, "abc", 2+3
        db v
        endm
mm      macro x1, y1
        irp q, x1, y1
        db q
        endm
        endm
        mm 7, 8

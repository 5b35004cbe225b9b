; Every part of the native dialect once, as a seed for mutations.
size:   equ 16
count   set 1
big     = 0x1234 + 0b101 - 0o17 * 1_0 / 3 % 7
        region low, start=$8000, size=$1000
        region high, start=$9000, size=$100
        section code in low
start:  ld a,size
        ld hl,table + 2 * size
        ld (ix+5),'A'
        add a,(iy-3)
        set 3,(ix+1)
        sll b
        in f,(c)
        out (c),0
        jump nz,start
.loop:  djnz .loop
        jr c,.out
        call routine
.out:   ret
routine:
        ld bc,(word)
        ex af,af'
        ldir
        im 1
        rst $38
        jp (hl)
        section data in high align=2
table:  db 1,2,low(big),high(big),"text\n",'c',-1,~0
word:   dw start,routine,$-table,start.loop
        dd $12345678
        dm "ZX81"
        align 16,$FF
        ds 4,$AA
        macro put(value, where=table)
        ld a,value
        ld (where),a
        if value > 3
        nop
        elif value == 2
        halt
        else
        scf
        endif
        endm
        put 5
        put 2,word
        repeat 3,i
        db i*i
        endr
        struct point
x:      db 0
y:      dw 0
        ends
        ld a,sizeof(point)+point.y
        scope inner
name:   nop
        jp name
        ends
        jp inner.name
        ifdef size
        db defined(nothing) ? 1 : 2
        endif
        ifndef nothing
        db max(1,2,3),min(4,5),abs(-6),strlen("seven")
        endif
count   set count+1
        assert size == 16, "sixteen"
        print "size ", size
        charmap "zx81"
        db "PLAIN"
        charmap off
        budget total <= 4096

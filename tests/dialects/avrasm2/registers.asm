.device ATmega8
.def Lo = r24
.def hi = r25
        mov lo, HI
        adiw r24, 63
        sbiw r30, 1
        ld r0, X
        ld r1, x+
        ld r2, -X
        ld r3, Y
        ldd r4, Y+63
        ldd r5, z + 2*3
        st Z+, r6
        std Y+1, r7
        movw r2, r30
        lpm
        lpm r8, Z
        lpm r9, z+
        mul r1, r2
        sbi 0x18, 3
        in r16, 0x3f
        out $3d, r16
        sbrc r16, 7
        bset 6
        ser r20
        cbr r16, 0x0f
        sbr r16, 1<<7
        clr r17
        lsl r18
        tst r19
        rol r20
.undef lo
.def lo = r26
        ldi lo, 1

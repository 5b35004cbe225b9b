        org #100
1       nop
        djnz 1b
        jr 1f
2       nop
1       jr 1B
        jp 2b
        call 3F
3       jr nz,3b
        dw 1_B,2_b,3_f
3       nop
10      jp 10b
        ld a,1b
        ld a,101b

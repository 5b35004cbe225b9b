; shifts and the remainder bind like multiplication
        db 1<<2+1, 2+1<<2, 1 shl 3-1, 100 shr 2 shl 1, 7 mod 4, 7 % 4, 17 % 5*3
        dw 8000h>>15, 1<<15, 1<<16, 1<<17, 1<<32, 8000h>>32, 12ffh/256, 7/2
        dw -1>>1, (-1)>>1, 65535*65535, 3-5, 1-2/3

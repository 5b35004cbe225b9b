 org 0
 db 1+2*3,7/2,1<<2+1,2+1<<2,6&3+1,2<3,!0,-1>>1&255,17o,101b,0x1f,$1f,1fh,12d
 db low 1234h+1, high(1234h)+1, not 0 & 255, 5 mod 3, 1 shl 3, 16 shr 2, 5 and 3, 5 or 2, 5 xor 1
 db 3 eq 3, 3 ne 3, 3 lt 4, 3 gt 4, 3 le 3, 3 ge 4, 3<>4, 3==3, 3!=3
 db 1 ? 2 : 3, 0 ? 2 : 3
 db 1 && 0, 1 || 0
 dw -1 shr 4 and 0ffffh, -256 >> 8 & 0ffffh
 defd -1 >> 4, 1<<31, 123456789
 d3 123456h,-1
 db 'a'+1,"b",'it''s',"say ""x""",''
 db 'ab'
 db 'ab'+1
 dw 'ab','a'
 dw $,$
 db $,$
 ld hl,'ab'
 ld a,'x'
 ld a,[5]+1
 ld a,(5)+1
 ld a,[(5)]
 dc 'abc'
 dc 'a'
 dc 'ab'
 dc 3,7
 ds 2,5
 db 10%3,7 %2
n equ 7
 db n %2
 db ~5&255
 db +5,-5, - -5
 db ret,nop,ldir&255
 dw ldir,mov,xra,bit,adcx,jp,jr

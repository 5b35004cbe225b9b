; Values have 32 bits with sign and C's precedence; `$` in a list is where the item is; texts have
; no escapes; the bytes come in the order of the lines.
 org #100
x: equ 5
 dw 7/2,-7/2,7%4,-7%4,0-7/2
 dw 1<<2+1,8>>1+1,6&3+1,6|1+1,6^3+1,1+6&3,1=1&3,1|2&3,1^3&2,1|3^1
 dw -1>>1,-1<<1,8000h>>1,x&3,x&0fh,1==1,1!=1,0b11
 db $,$,$+1
 dw $,$
 db "a\n",1
 db "ab",$
 ld a,x&3
 ld a,(ix-5+2)
 ld a,(ix-1-1)
 sll b
 sli a
 org #200
 db 1
 ds virtual 4
y: dw y
 org #150
w: dw w

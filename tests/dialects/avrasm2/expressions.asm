.device ATmega8
.equ a = 5
.set b = 3
.dw a+b*2, (a+b)*2, a<<b, 1<<b|1, ~a&0xff, -a, !a, !0
.dw a>b, a<b, a==5, a!=5, a>=5, a<=4, a&&0, a||0, a&b, a|8, a^b
.dw 100/7, 100-7*14, 1+2<<3, 7&3==3, 1|2^3&4
.dw low(0x12345678), high(0x12345678), byte2(0x12345678), byte3(0x12345678), byte4(0x12345678)
.dw lwrd(0x12345678), hwrd(0x12345678), page(0x12345678), exp2(5), log2(33)
.set b = b+1
.dw b
.set b = b*b
.dw b, -7/2, -8>>1, A, B

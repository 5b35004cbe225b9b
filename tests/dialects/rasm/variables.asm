n=1
 db n : n=n+1 : db n
n+=3 : db n
n-=1 : db n
n*=3 : db n
n/=2 : db n
n<<=1 : db n
n>>=1 : db n
n|=#10 : db n
n&=#f : db n
n^=3 : db n
n%=4 : db n
let m=12 : db m
third=1/3
 db third*3,third*300
 dw third*30000
x equ y+1
y equ 5
 db x*2,y
a1 = x+y
 db a1
UPPER=7 : db upper
 undef upper
 ifdef upper : db 1 : else : db 2 : endif
w=2.6 : w|=4 : db w*10
w=7.6 : w%=5 : db w*10
w=5.6 : w>>=1 : db w*10
w=2.6 : w/=2 : db w*10
w=2.5 : db w|4,w % 17

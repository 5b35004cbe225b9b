 opt --zxnext
 swapnib
 swapnib a
 pixelad hl
 pixeldn hl
 mul de
 mul
 mirror
 mirror a
 test 5
 bsla de,b
 bsra de,b
 bsrl de,b
 bsrf de,b
 brlc de,b
 mul
 mul d,e
 mul de
 add hl,a
 add de,a
 add bc,a
 add hl,$1234
 add de,$1234
 add bc,$1234
 push $1234
 outinb
 nextreg 1,2
 nextreg 1,a
 pixeldn
 pixeldn hl
 pixelad
 setae
 jp (c)
 ldix
 lddx
 ldirx
 lddrx
 ldpirx
 ldws
 push 5,6
 opt reset
 db 0
mul macro
 db 9
 endm
 mul

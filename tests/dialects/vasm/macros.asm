m macro
x\@ db \1,\2
 endm
 m 1,2
 m 3 , 4 : db 9
 macro named,a,bb
 db \a,\bb,"\a",\a\()1
 endm
 named 5,6
put macro xx,yy
 ld \xx,\yy
 endmacro
 put a,(hl)
 put (ix+5),(5+2)*3
 put b,','
 mac one
 ifblank \1
 db 1
 else
 db \1
 exitmacro
 db 99
 endif
 endmac
 one
 one 7
dwn macro
 if \1
 db \1
 dwn \1-1
 endif
 endm
 dwn 3
loop macro
l\@: djnz l\@
.l: djnz .l
 endm
a: loop
b: loop
v = 300
digits macro
 dw \<v>,\<w>
 endm
w = 7
 digits
back macro
 db "a\\b",\0
 endm
 back 4
 rept 3
 db __RPTCNT
 rept 2
 db __RPTCNT
 endr
 db __RPTCNT
 endr
 db __RPTCNT
 rept 0
 db 1
 endr
 repeat 2
 nop
 endrepeat
inm macro
 rept 2
 db \1
 endr
 endm
 inm 5
extra macro a
 db \a
 endm
 extra 5,6

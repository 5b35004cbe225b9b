 struct point
x db 1
y dw 2
 endstruct
 struct pair
first defb 5
second defw 6
third ds 3,9
 ends
 struct point here
 struct pair there
 struct point given,1,7,8
 dw here,here.x,here.y
 ld a,(ix+point.y)
 db point,pair,pair.third
 db {sizeof}point,{sizeof}pair,{sizeof}here,{sizeof}pair.third

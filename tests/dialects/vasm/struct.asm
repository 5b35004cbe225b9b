 struct point
x: db 9
y: dw 8
name: db "ab"
room: ds 3,7
 endstruct
 db point,point.x,point.y,point.name,point.room
v: point 1,2
 point
w point ,5,"z",1
 point 1,2,"xyz"
 dw v,w
 ld (ix+point.y),5

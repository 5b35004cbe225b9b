        struct point
x       byte 1
y       word 2
        ends
        struct thing
p1      point
name    block 3,#20
p2      point 7,8
flags   db #80
big     dd #11223344
mid     d24 #aabbcc
        ends
        db point,point.x,point.y
        db thing,thing.p1,thing.p1.y,thing.p2.x,thing.flags
a       point
b       point 5
c       point 5,#606
d       point {9}
e       thing
f       thing {1,2},{3},4
g       thing {
          {10,11}
          {12,13}
          14
        }
        dw a,b.y,c.x,f.p2.y,f
h       point = #c000
        dw h,h.y
        point 1,2
        struct off,4
z       byte
        ends
        db off,off.z
        struct al
q       byte 1
        align 4
r       word #1234
t       text 4,{ "ab" }
        ends
        db al,al.r
s       al 5,6,{ "xyz" }
        ld a,(ix+point.y)

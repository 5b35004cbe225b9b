; A parameter with the name of a register: the line that was met before is another one there.
 ld a,b
 ld a,b
 macro m b
 ld a,b
 ld c,a
 ld a,b
 endmacro
 m 5
 ld a,b
 m 6
 ld a,b
 ld c,a
 macro n ld
 ld a,b
 endmacro
 n add
 ld a,b

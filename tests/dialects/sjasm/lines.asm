; Several statements of a line, repeats, text macros in any case, pointers that are counted.
 ld a,1\ ld b,2
 [3] inc hl
[2] inc de
x: [2] db %
 [2][3] db %,%%
 idefine kip 1
 db KIP
 assign c0 1
 assign c0 c0+1
 db c0
 macro m1 1..2
 db @1,@2
 endmacro
 m1 1,2
 macro m2 a:5
 db a
 endmacro
 m2
 m2 3
 ld a,(hl++)
 ld a,(++bc)
 ld (iy++ +5),b
 add a,(--ix)
 bit 1,(hl--)
 repeat 3
 db @#
 repeat 2
 db @#,@@#
 endrepeat
 endrepeat

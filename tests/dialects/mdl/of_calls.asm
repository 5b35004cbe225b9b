; Names within macros and rounds are each call's own; outside they are `label.name`.
    org #100
out1: nop
m: macro
lx: nop
    jp lx
    jp out1
    endm
n: macro ?x
kk: m
    jp kk
    jp kk.lx
    jp zz
zz: ld a,?x
    endm
nest: macro
out1: inc a
    m           // the nearest `out1` is that of the call around
    jp out1
    endm
    m
aa: m
    jp aa.lx
bb: n 5
    jp bb.kk
    jp bb.kk.lx
    jp bb.zz
cc:             ; the label alone on the line above
    m
    jp cc.lx
    n 6
    nest
named: macro ?n, ?v
?n: nop
five: equ ?v
    dw five,?n
.loc: jp .loc
    endm
    named foo,5
d2: named bar,6
    jp d2.bar
    rept 2
xx: djnz xx
    jp yy
yy: nop
    endm
r1: rept 2
xx: djnz xx
    endm
    jp r1.0.xx
    jp r1.1.xx
r2: rept 2,?i
xx: ld a,?i
    rept 2
vv: jp vv
    jp xx
    endm
    endm
    jp r2.1.xx
    rept 2
uu: m
ff:
    m
    jp ff.lx
    jp uu.lx
    endm
cond: macro
    if 1
tt: jp tt
    endif
    jp tt
    ifdef out1
ww: jp ww
    endif
    endm
    cond
    cond
tt: jp tt

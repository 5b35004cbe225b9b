 org $100
first: nop
.x nop
 jr .x
1$: djnz 1$
loop$ nop
 jr nz,loop$
second:
.x: jr .x
1$ djnz 1$
 jr first.x
val equ 7
.y: db val
 dw second.y
: djnz :-
 jr :+
 jr :++
: nop
: nop
 jr :--
 inline
.x: nop
 jr .x
 inline
.x: halt
 jr .x
 einline
 jr .x
 einline
 jr .x

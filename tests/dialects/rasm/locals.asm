main ld b,3
.loop djnz .loop
 jr main.loop
second ld b,4
.loop djnz .loop
 jr .loop : jp second.loop
 repeat 2
@here nop : jr @here
.in jr .in
 rend
 repeat 2,i
 repeat 2,j
@deep db i,j : jr @deep
 rend
 rend
 macro wait n
@w ld b,{n}
 djnz @w
 mend
 wait 4 : wait 5
after nop
.x jr .x
 module one
go nop
 jp go
 module two
go nop
 jp go : jp one_go
 module off
 jp one_go : jp two_go
_ nop
 jr _- : jr _+
_ djnz _-

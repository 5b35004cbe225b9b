 org 100h
 mov a,b
 mov m,c
 mov d,m
 mvi a,5
 mvi m,6
 lxi b,1234h
 lxi d,1234h
 lxi h,1234h
 lxi sp,1234h
 lda 1234h
 sta 1234h
 lhld 1234h
 shld 1234h
 ldax b
 ldax d
 stax b
 stax d
 xchg
 xthl
 sphl
 pchl
 add b
 add m
 adc c
 adc m
 sub d
 sub m
 sbb e
 sbb m
 ana h
 ana m
 xra l
 xra m
 ora a
 ora m
 cmp b
 cmp m
 adi 1
 aci 2
 sui 3
 sbi 4
 ani 5
 xri 6
 ori 7
 inr a
 inr m
 dcr b
 dcr m
 inx b
 inx d
 inx h
 inx sp
 dcx b
 dcx sp
 dad b
 dad sp
 ral
 rar
 cma
 stc
 cmc
 hlt
 jmp 5
 jnz 5
 jz 5
 jnc 5
 jc 5
 jpo 5
 jpe 5
 jm 5
 cnz 5
 cz 5
 cnc 5
 cc 5
 cpo 5
 cpe 5
 cm 5
 rnz
 rz
 rnc
 rc
 rpo
 rpe
 rp
 rm
 in 5
 out 6
 push b
 push d
 push h
 push psw
 pop b
 pop psw
 rst 1
 rst 7
 rst 8
 rst 56
 rst 0
 daa
 ei
 di
 jp 7
 cpi
 call 5
 sub a,b
 add b
 jp hl
 sll a
 sl1 b
 ora 5
 ana 6
 cmp 7
 push a

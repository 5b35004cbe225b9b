 org 100h
$here: nop
$$two equ 7
$FCB: db 1
 dw $here,$FCB,$ff,$,$c_1
$c_1 ld a,$$two
 jp $here

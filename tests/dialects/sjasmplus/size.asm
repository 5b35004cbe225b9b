; `SIZE` is of a file of `OUTPUT`: without one that is open it says nothing.
 db 1,2
 OUTPUT "size_o.bin"
 db 1,2,3
x: SIZE 5
 OUTPUT "size_p.bin"
 db 9
 SIZE 4
 dw $
 OUTEND
 dw x,$
 SIZE 64

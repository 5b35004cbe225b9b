; names with a dot belong to the last label without one
one     nop
.x      djnz .x
        jr .y
.y      nop
two     nop
.x      djnz .x
        dw one.x,two.x,.x,one.y
@glob   nop
.z      dw .z,glob.z,glob
!quiet  nop
.w      dw .w,glob.w,quiet
.k equ 7
        db .k,glob.k

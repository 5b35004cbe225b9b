; Words of the preprocessor count in column 1; loops and structs have ends of their own.
include "part.inc"
if 0
 db 5
endif
define five 5
 db five
repeat 2
 db 4
endrepeat
 org 10h
while 0
 db 1
endwhile
struct s
a db 0
b dw 0
endstruct
macro m x
 db x, s.b
endmacro
 m 3
ifndef five
 db 9
endif
if 1
 db 1
else
 db 2
endif
if 0
 db 3
elseif 1
 db 4
ELSE
 db 5
ENDIF

; `end` ends the macros around it and the file, and the file that includes it goes on. A file that is
; included in a macro or repeat is read behind it, the last one first.
one macro
 db 5
 include "ends.inc"
 include "ends_more.inc"
 db 6
 endm
two macro
 one
 db 7
 endm
 db 1
 include "ends.inc"
 db 2
 two
 db 3
 rept 2
 include "ends_more.inc"
 db 4
 endm
 if 1
 include "ends.inc"
 endif
last macro
 db 8
 end
 db 9
 endm
 last
 db 10

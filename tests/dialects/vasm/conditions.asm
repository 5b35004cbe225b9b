x = 1
 if x
 db 1
 else
 db 2
 endif
 ifeq x
 db 3
 el
 db 4
 fi
 ifgt 5
 db 5
 endif
 iflt -1
 db 6
 endif
 ifle 0 : db 7 : endif
 ifge 0 : db 8 : endif
 ifdef x
 db 9
 endif
 ifndef q
 db 10
 endif
 ifused late
 db 11
 endif
 dw late
 ifused late
 db 12
 endif
late:
 if 0
 macro never
 if 1
 db 13
 else
 endm
 endif
 ifdef anything
 endif
 else
 db 14
 endif
 ifblank
 db 15
 endif

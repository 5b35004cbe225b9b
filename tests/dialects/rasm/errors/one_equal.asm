 if 1=1
 db 1
 endif

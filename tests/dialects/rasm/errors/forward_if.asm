 if later
 db 1
 endif
later nop

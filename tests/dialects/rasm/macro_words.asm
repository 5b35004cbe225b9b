; A macro may be called as a word is; the word is what counts.
 MACRO BREAKPOINT
 db 1
 ENDM
 MACRO nop
 db 2
 ENDM
 macro align x
 dw {x}
 mend
 org #100
 nop
 align 4
 dw $

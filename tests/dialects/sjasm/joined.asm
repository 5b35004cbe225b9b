; Numbers of its own, joined lines, comments in comments, escapes.
 repeat 2
lab@*: nop
 endrepeat
 macro m a,b
 if a
 db b
 else
 db 99
 endif
 endmacro
 m 1,2
 m 0,3
 repeat 3
 m @#,@#+1
 endrepeat
 db 3>?5, 3<?5
 ds 2,7 \ db 1 ; comment
 ld a,\
 5
/* a /* nested */
 nop */
 ex af,af' ; 'x
 dw high 1234h, low 1234h
 db "\n\\\"", 'a"b'
 db 1_0, 11b, 14q, %11

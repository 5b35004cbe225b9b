_a:     db 1
.b:     db 2
?c:     db 3
@d:     db 4
e.f_?@: db 5
        dw _a, .b, ?c, @d, e.f_?@
Label   equ 100h
label   equ 200h
LABEL   equ 300h
        dw Label, label, LABEL

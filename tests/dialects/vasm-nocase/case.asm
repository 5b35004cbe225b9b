Foo: db 1
 dw FOO,foo
M macro
 db \1
 endm
 m 5
 M 6
.x jr .X

foo: db 1
 dw FOO

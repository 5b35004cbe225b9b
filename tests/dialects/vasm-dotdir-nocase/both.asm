 .ORG $100
Foo: .Byte 1
 .word FOO
.x jr .X

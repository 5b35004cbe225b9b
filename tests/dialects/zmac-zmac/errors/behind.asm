	jr .a
x:
.a:

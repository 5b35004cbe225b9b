x:
.a:
.a:

        breq far
.org 100
far:    ret

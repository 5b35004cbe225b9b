l LDI 1
l LDI 2

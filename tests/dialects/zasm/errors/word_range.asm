 org 0
 dw 65536

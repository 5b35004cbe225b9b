 .byte 5

        .byte 4

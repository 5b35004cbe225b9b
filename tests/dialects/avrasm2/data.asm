.device ATmega8
        .db 1, 2, 3
        .db "text"
        .db "odd"
        .db "a;b", 'c', 0
        .db 'x'
        .db -1, -128, 255, 0x7f, $a5, 0b1010
        .dw 1, -1, 0xffff, -32768, 'A'
        .db low(0x1234), high(0x1234)
        .db "back\slash"

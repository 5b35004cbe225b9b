; number forms of pasmo; every value is 16 bits
        db 10, 10d, 0ffh, 0xFF, 0X1f, $ff, #ff, &ff, &hff, &Hff
        db 17o, 17q, 17Q, &o17, 101b, %101, &x101, 1$000
        dw 99999, 0x12345, $1$0, 1$0h, 0b00h, 10b, 0bh

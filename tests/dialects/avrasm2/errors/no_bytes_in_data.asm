.dseg
        .db 1

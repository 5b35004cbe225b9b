; the side that does not decide may use unknown names
        db 0 && nowhere, 1 || nowhere
        dw 1 ? 5 : nowhere, 0 ? nowhere : 6, 1 ? 0 ? 1 : 2 : 3

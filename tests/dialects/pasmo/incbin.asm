        db 1
        incbin "data.bin"
lab:    incbin 'data.bin'
        incbin data.bin
        dw lab

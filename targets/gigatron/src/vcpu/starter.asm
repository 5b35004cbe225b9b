; A line of colours across the picture, drawn by the vCPU. The picture is memory: line y is
; page 8 + y, and a byte of it a pixel: 16 * blue + 4 * green + red.

        section variables in zero
at:     ds 2                    ; the pixel that is drawn

        section main in ram
start:  ldwi $4400              ; line 60
        stw at
next:   ld at
        poke at                 ; its place is its colour
        inc at
        ld at
        xori 160
        bne next
        halt

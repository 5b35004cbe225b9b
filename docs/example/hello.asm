; Says HELLO at the top of the screen, on a ZX81 with 1K.
; In: nothing. Out: nothing. Clobbers: BC, DE, HL and flags.

        budget total <= 20

D_FILE: equ $400C               ; address of the display file

        org $4082               ; in the REM line
start:  ld de,(D_FILE)
        inc de                  ; past its first newline
        ld hl,text
        ld bc,5
        ldir
stay:   jump stay               ; the tool picks JR

        charmap "zx81"
text:   db "HELLO"

; The same with four faults, for the messages.
; In: nothing. Out: nothing. Clobbers: BC, DE, HL and flags.

        budget total <= 20

D_FILE: equ $400C               ; address of the display file

        org $4082               ; in the REM line
start:  ld de,(D_FILE)
        inx de                 ; past its first newline
        ld hl,txet
        ld bc,de
        ldir
stay:   jr $+300               ; the tool picks JR

        charmap "zx81"
text:   db "HELLO"

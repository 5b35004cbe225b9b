; Writes a text to the top of the screen and waits.
; In: nothing. Out: nothing. Clobbers: BC, DE, HL and flags.

D_FILE: equ $400C               ; address of the screen in memory

        org $4082               ; behind the BASIC line that starts it
start:  ld de,(D_FILE)
        inc de                  ; past its first newline
        ld hl,text
        ld bc,text.end - text
        ldir
stay:   jump stay               ; the tool picks JR

        charmap "zx81"          ; the machine's own characters
text:   db "HELLO"
text.end:

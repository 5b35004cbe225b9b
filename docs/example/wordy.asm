; Counts down from 9 at the top of the screen, on a ZX81 with 1K: as one writes it first,
; for `-O` to shorten.
; In: nothing. Out: nothing. Clobbers: A, B, HL and flags.

D_FILE: equ $400C               ; address of the display file
ZERO:   equ $1C                 ; the ZX81's `0`

        org $4082               ; in the REM line
start:  ld b,9
next:   ld a,b
        call show
        call pause
        ld a,b
        cp 0
        jp z,start
        dec b
        jp next

; Shows the digit A in inverse video. Clobbers HL and flags.
show:   add a,ZERO
        or $80
        ld hl,(D_FILE)
        inc hl                  ; past its first newline
        ld (hl),a
        ret

; About a quarter of a second. Clobbers A, HL and flags.
pause:  ld hl,0
wait:   dec hl
        ld a,h
        or l
        jp nz,wait
        ret

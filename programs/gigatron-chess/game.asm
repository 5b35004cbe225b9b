; The game: what is shown and what the buttons do.

        section game in rom within=256

; Entered when the video runs.
main:   ld [left]
        blt .late
.on:    suba 6
        st [left]
        bra main
        nop
.late:  nop
        ld low(.on)
        st [back]
        ld hi(late),y
        jmp y,late
        ld hi($)

; A seed for mutations in the dialect of z80asm.
size:   equ 16
        org 0x8000
start:  ld a,size
        ld hl,table+2*size
        ld (ix+5),'A'
        set 3,(ix+1)
        jr nz,start
        djnz $
        call routine
        ret
routine:
.loop:  ldir
        jp .loop
table:  db 1,2,"text",'c',255
        defw start,routine,$-table
        ds 4,0xaa
put:    macro value where
        ld a,value
        ld (where),a
        endm
        put 5 table
        if size > 3
        nop
        else
        scf
        endif
        db $ff,0x1f,%1010,10101b,7fh
        end

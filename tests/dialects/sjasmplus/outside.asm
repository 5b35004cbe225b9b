        db 300,-200,#1234
        ld a,300
        ld b,-200
        ld hl,70000
        dw 70000
        ld (ix+127),1
        ld (ix-128),2

; Lines count from 0; in lists of bytes they are texts, and so are the date and the time.
        org 0
        db __line__
        dm 'at',32,__line__,0
        ld a,__line__
        db __line__+1,5,__line__
        defm 'x',__date__,32,__time__
        db __date__+$80
        dw __line__
        ld hl,__line__*256+__line__

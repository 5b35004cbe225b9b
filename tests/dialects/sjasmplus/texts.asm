        db "a\n\t\r\0\\\"\a\b\e\f\v\d\'\?"
        db 'a\n','it''s',"it's"
        dc "abc","d",'e','fg'
        dz "abc",1
        abyte 1 "abc",2
        abytec 128 "ab"
        abytez 2 'ab'
        dm 'x',"y"
        dw "a",'ab',"ab"
        db "a"+1,'b'|128,"c"-"a"
        ld a,'x'
        ld hl,'ab'
        dp "hello",1
        dh 12ab,"34 56",'78'
        hex 0102
        dg ..##..## #-------

; one-character strings are numbers, longer ones are bytes
        db 'a', "a", 'a'+1, "a"+80h, 'ab', "ab", '', ""
        db 'it''s', "say \"x\"", '\n', "\n\r\t\a\\\0\12\101\x41\x4\q"
        dw 'a', "b"+1
        ld a,''''
        cp ';'          ; not a comment
        db "a;b", 'c;d'

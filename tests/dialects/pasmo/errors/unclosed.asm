        db "ab

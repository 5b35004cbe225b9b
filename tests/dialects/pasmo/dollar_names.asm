; a dollar in a name at n deletes n characters from the second on
a$b     equ 3
foo$bar equ 4
lq$     equ 5
        db a$b, ab, foo$bar, fbar, lq$

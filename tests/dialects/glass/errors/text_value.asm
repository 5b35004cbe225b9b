 db "ab" + 1

 db "a\q"

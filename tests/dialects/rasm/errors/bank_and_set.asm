 buildsna
 bankset 0
 db 1
 bank 1
 db 1

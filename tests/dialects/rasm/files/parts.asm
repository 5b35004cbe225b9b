 org #4000
start ld a,1 : ret
text db "text"
 save "code.bin",start,$-start
 save "head.bin",start,text-start,amsdos
 save "twice.bin",text,2
later db 9
 save "twice.bin",later,1

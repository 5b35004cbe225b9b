; a constant may refer to labels below it
        org 8000h
size    equ finish-start
last    equ finish-1
start:  ld bc,size
        ld hl,last
finish:

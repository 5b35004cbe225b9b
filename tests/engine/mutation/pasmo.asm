; A seed for mutations in the dialect of pasmo.
size    EQU 16
count   DEFL 1
        ORG 8000h
start:  LD A,size
        LD HL,table+2*size
        LD (IX+5),'A'
        SET 3,(IX+1)
        JR NZ,start
        DJNZ $
        CALL routine
        RET
routine PROC
        LOCAL loop
loop:   LDIR
        JP loop
        ENDP
table   DB 1,2,low start,high start,"text",'it''s',-1
        DEFW start,routine,$-table
        DS 4,0AAh
put     MACRO value, where
        LD A,value
        IF value > 3
        NOP
        ELSE
        SCF
        ENDIF
        LD (where),A
        ENDM
        put 5,table
        REPT 3
        NOP
        ENDM
        IRP reg,B,C,D
        INC reg
        ENDM
count   DEFL count+1
        IF DEFINED size
        DB size mod 3, size shl 2, not 0
        ENDIF
        DB #FF,&FF,$FF,%1010,0x1F,17o
        END start

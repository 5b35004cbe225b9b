base EQU 0x30
next EQU base + 2
half EQU 7/2
odd EQU 5 and what follows
many EQU (base + 3*4) & 0xF0 | 1
    LD next
    ST base+4
    LDI half
    LDI odd
    ADDI many
    LDI 'A'
    LDI $1F
    LDI &hF0
    LDWI $1234
    LDWI next*256+1
    LDI 1<<4
    LDI 0b101
    SUBI 2 ' a comment
    RET # and another

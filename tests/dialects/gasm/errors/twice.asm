a EQU 1
a EQU 2

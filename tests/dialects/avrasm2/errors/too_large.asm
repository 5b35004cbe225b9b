.equ x = 1e999

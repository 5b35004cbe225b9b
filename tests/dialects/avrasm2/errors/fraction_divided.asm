.equ x = int(1.0/0.0)

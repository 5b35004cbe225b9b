.equ a

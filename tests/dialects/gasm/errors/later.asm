x EQU y

        ds later
later:  equ 1

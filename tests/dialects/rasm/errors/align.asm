 align 0

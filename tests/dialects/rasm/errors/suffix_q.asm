 dw 1+17q

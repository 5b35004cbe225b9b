        dw "ab"

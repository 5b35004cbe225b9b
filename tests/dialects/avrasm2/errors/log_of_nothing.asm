        .dw log2(0)

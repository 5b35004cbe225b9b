; NOT ~ ! + - are looser than the comparisons
        dw -1+2, ~1+1, !0+1, not 1 and 3, - - 5, +5, ~~7, !5, !!5, -2*3, not 0=1

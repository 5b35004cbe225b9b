        out (c),0

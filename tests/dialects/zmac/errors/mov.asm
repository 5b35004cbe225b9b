 mov m,m

        in f,(c)

	rst 1

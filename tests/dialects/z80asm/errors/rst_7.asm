	rst 7

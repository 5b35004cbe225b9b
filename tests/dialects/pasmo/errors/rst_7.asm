        rst 7

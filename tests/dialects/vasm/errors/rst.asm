 rst 1

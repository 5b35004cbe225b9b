 rst 9

 rst 5

 ascz 5

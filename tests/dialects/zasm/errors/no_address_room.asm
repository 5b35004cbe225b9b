 ds 5

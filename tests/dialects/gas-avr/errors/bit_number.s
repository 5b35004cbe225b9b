	sbi 3, 8

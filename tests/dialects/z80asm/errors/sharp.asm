	db #10

	db

 db

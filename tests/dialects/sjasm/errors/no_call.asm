 db @1

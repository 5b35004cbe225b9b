 macro m a1,b1
 db {a1}
 mend
 m 1

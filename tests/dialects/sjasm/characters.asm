; The set of characters counts in asc and its like only.
 asc "plain",1
 ascmap 'a'..'c',$+1
 asc "abcd",1
 ascz "ab"
 ascc "abc","a"
 ascmap 65..90,$-64
 ascmap '0'..'9',=>100,-1
 ascmap ' ' , 200
 ascmap ',',=>-1
 asc "A1Z0, b"
 asc 'a'+1,98
 db "A1, "

 macro m a,b
 endmacro
 m 1

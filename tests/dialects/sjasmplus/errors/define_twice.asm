 define a 1
 define a 2

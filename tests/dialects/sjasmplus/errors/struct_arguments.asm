 struct s
x byte
 ends
a s 1,2

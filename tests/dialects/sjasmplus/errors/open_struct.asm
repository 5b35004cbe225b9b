 struct s
x byte

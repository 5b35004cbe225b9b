 struct s
x db 1

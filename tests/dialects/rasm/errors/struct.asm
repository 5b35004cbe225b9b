 struct foo bar

 foo bar
 .end

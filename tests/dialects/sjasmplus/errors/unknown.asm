 foo 1

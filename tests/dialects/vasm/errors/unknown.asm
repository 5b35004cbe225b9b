 foo 3

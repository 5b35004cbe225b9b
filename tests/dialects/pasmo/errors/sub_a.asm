        sub a,b

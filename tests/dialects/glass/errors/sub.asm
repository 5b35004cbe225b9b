 sub a,b,c

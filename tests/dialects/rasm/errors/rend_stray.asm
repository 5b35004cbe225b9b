 rend

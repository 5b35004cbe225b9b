 mul d,e

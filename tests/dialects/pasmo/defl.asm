v       defl 1
        db v
v       defl v+1
        db v
v       defl v*10
        db v

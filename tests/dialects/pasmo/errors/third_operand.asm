        rlc (ix+1),b

 jp (ix+0)

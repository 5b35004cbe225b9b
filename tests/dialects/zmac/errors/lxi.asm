 lxi bc,5

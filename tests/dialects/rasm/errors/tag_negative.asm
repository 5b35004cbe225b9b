x=-1
lab{x} nop

 .byt 300

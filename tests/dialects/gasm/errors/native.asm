 .LD 5

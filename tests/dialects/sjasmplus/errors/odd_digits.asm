 dh 123

 INCBIN "../part.bin",12

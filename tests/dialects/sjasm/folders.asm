; Files in folders that the source names.
 incdir more/
 include of_more.inc
 incbin "of_more.bin",1,2

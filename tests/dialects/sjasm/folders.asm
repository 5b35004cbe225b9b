; Files in folders that the source names. The bytes are those that the words mean; sjasm
; itself was not at hand.
 incdir more/
 include of_more.inc
 incbin "of_more.bin",1,2

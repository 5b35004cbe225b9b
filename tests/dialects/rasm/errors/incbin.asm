 incbin "nothing.bin"

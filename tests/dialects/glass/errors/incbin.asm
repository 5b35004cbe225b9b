 INCBIN "nowhere.bin"

    org $8000
first: block 8, 8
    savebin "single.bin", $8000, 8
    device zxspectrum48
    ds 10, 1
n = 3
    block n - 6
    db 2, 3
    incbin "t1.inc", -3
    incbin "t1.inc", 1, -2
    emptytrd "d.trd"
    savebin "rest.bin", first, $ - first

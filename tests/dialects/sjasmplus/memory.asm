; What is in the memory of the device when a line is read.
    device zxspectrum128
    org $8000
first: db 1, 2, 3, 4
    dw later, $1234
    ld hl, later
    jr later
    block 2, $77
    dw {first}, {$8002}, {first + 4}, {$8006}
    db {b first}, {B $8003}, {b $8004}, {b $8005}
    db {b first + 8}, {b first + 9}, {b first + 10}, {b first + 11}, {b first + 12}
    dw {first + 13}, {$9000}, {$8000} + 1, -{$8000} * 2
later:
    org $8000 : db 9
    db {b $8000}, {b $8001}
    slot 3 : page 4 : org $c000
    db "page four"
    page 6
    db {b $c000}
    page 4
    db {b $c005}, {b $c000}
    org $9000
    disp $c000
    db 5, 6, {b $9000}, {b $c000}
    ent
    db {b $9001}
    ld a, ({$8000})
    dup 2, i
    db {b first + i}
    edup
    if {first + 4} == later && later > 0
    db 2
    endif
    if {first} == $0209
    db "seen"
    endif

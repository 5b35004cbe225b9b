        db 1
        include "part.inc"
        db partlab
        include 'part2.inc'
        include part2.inc
        db 2

.device ATmega8
.macro load16
        ldi @0, low(@2)
        ldi @1, high(@2)
.endmacro
.macro wait
        ldi r16, @0
loop:   dec r16
        brne loop
.endm
.macro put
        ldi r17, @1
        st @0, r17
.endm
main:   load16 r24, r25, 0x1234+1
        wait 10
        wait (5+5)*2
        put X+, 'a'
        put -Y, ';'
        LOAD16 r30,r31,main
        rjmp main
.macro twice
        wait @0
        wait @1
.endm
        twice 1, 2

; Keypad and clocks
; =================

        section keypad in flash
        budget keypad <= 124

; ---------------------------------------------------------------------- ask, key
; ask sends a text, then waits for a key as key does: all keys up for 6 ms, then one of
; the table down for 6 ms. Shows it, puts the LEDs out. Key # ends the game.
;   in   Z = text for ask
;   out  u = 0 to 9
;   uses r0, t, u, Z, best, ptr, step, from; 21 words

ask:    rcall print
key:    rcall scan
        inc u
        brne key
.down:  rcall scan
        ldi zl,low(keys)
.find:  lpm
        cp r0,u
        breq .hit
        inc zl
        cpi zl,low(keys_end)
        brne .find
        rjmp .down
.hit:   out DDRB,zh
        mov u,zl
        subi u,low(keys)-'0'
        rcall tx
        subi u,'0'
        cpi u,10
        brne half_scan.ret
        rjmp start

; -------------------------------------------------------------------------- scan
; Reads the keypad until it is the same 32 times.
;   out  u = levels of the wires, $FF if no key is down
;   uses t, Z, best, ptr, step, from; 20 words; 6 ms at least

scan:   ldi ptr,32
.again: rcall tick
        ldi t,$0f               ; rows pull down, columns are read; then the reverse
        rcall half_scan
        mov u,step
        rcall half_scan
        or u,step
        cp u,best
        mov best,u              ; MOV leaves the flags of CP alone
        brne scan
        dec ptr
        brne .again
        ret
half_scan: out DDRA,t
        com t
        out PORTA,t
.wait:  dec from
        brne .wait
        in step,PINA
.ret:   ret

; -------------------------------------------------------------------------- tick
; Takes a second that is over from the clock of the player to move.
;   out  quick one step further if there was one; goes to won when it was the last
;   uses t, Z; 18 words; 5 to 24 clocks

tick:   in t,TIFR
        sbrs t,OCF1A
        ret
        out TIFR,t
        lsr quick
        ldi zl,low(clocks)
        sbrc who,7
        ldi zl,low(clocks)+2
        ldd t,Z+1
        subi t,1
        brcc .store
        ld t,Z
        subi t,1
        brcs flag
        st Z,t
        ldi t,59
.store: std Z+1,t
        ret
flag:   mov side,who
        swap side
        rjmp won

; Scripts in macros and repeats, and macros that scripts call.
        macro table first, last
        db 'first'
        lua allpass
            local a, z = sj.get_define("first", true), sj.get_define("last", true)
            for i = tonumber(a), tonumber(z) do _pc("db " .. i) end
            _pc("dw last * 256")
        endlua
.end:   dw .end
        endm
        macro twice what
        what
        what
        endm
        org $4000
        table 1, 3
        table 7, 7
        lua allpass
            _pc("twice rrca")
            _pl("lab: twice <ld a,5>")
            for i = 1, 2 do _pc("table " .. i .. "," .. i + 1) end
        endlua
        dw lab
        lua allpass
            n = 0
        endlua
        dup 3
        lua allpass
            n = n + 1
            _pc("db " .. n)
        endlua
        nop
        edup
        if 0
        lua allpass
            _pc("db 99")
        endlua
        endif

; What scripts write: lines, code, bytes and words, in all passes.
        org $8000
start:
        lua allpass
            for i = 0, 3 do
                _pc("ld a," .. i)          -- it's code: "ld a,0" and on
                sj.parse_code("out (" .. i * 2 .. "),a")
            end
            _pl("inner: ld hl,inner")
            sj.parse_line(".dot: ld de,.dot")
            sj.add_byte(0x12)
            sj.add_word(0x3456)
            sj.add_byte(-1)
        endlua
        dw inner, inner.dot, behind
        lua allpass
            -- a table of sines
            for i = 0, 15 do
                sj.add_byte(math.floor(math.sin(math.pi * i / 8) * 100 + 0.5) & 255)
            end
            local t = {}
            for w in string.gmatch("one two,three", "%a+") do table.insert(t, 1, w) end
            _pc('db "' .. table.concat(t, "-") .. '"')
            _pc("db '" .. string.gsub("hello world", "o", "0") .. "'")
            _pc("dz \"" .. ("%s=%d"):format("n", 7) .. "\"")
            local key, value = ("width = 40"):match("^(%w+)%s*=%s*(%w+)$")
            _pc("db '" .. key .. "'," .. value)
            _pc("db " .. ("a.b"):find(".", 1, true) .. "," .. ("abc"):find("b()"))
            _pc("db '" .. ("x=1,y=2"):gsub("(%w)=(%w)", "%2:%1") .. "'")
            _pc("db '" .. ("abc"):gsub("%w", { a = "1", b = false }) .. "'")
            _pc("db '" .. ("abc"):gsub("", "-") .. "'")
            table.sort(t)
            table.remove(t, 2)
            table.move(t, 1, 2, 3)
            _pc("db '" .. table.concat(t, ",") .. "'")
        endlua
behind: nop
        lua allpass
            _pc("dw " .. sj.calc("$ - start"))
            _pc("dw " .. _c("behind"))
            _pc("dw " .. _c("forward + 1"))
            _pc("dw " .. sj.current_address)
            sj.current_address = 0x9000
            _pc("dw $")
        endlua
forward: db 0

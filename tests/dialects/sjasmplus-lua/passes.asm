; Variables, labels and defines that go from script to script and pass to pass.
        lua pass1
            count = 3
            function bytes(n) for i = 1, n do sj.add_byte(i) end end
            sj.insert_label("early", 0x1234)
        endlua
        org 100
        dw early
        lua allpass
            bytes(count)
            sj.insert_define("WIDTH", "32 + 1")
            sj.insert_label("made", 0x4321)
        endlua
        dw WIDTH * 2, made
        lua
            assert(sj.pass == 3)
            assert(sj.get_label("made") == 0x4321)
            assert(sj.get_label("later") == 109, sj.get_label("later"))
            assert(sj.get_define("WIDTH") == "32 + 1")
            assert(sj.get_define("HEIGHT") == nil)
            assert(sj.get_device() == "NONE")
            assert(sj.get_modules() == "")
            assert(sj.calc("later - 9") == 100)
        endlua
later:  module inside
        lua allpass
            _pl("name: db 1")
            assert(sj.get_modules() == "inside")
        endlua
        endmodule
        dw inside.name
        lua pass3
            sum = 0
            for k, v in pairs({ b = 2, a = 1, 10, 20 }) do sum = sum + v end
            assert(sum == 33)
        endlua
        ifdef WIDTH
        db 7
        endif

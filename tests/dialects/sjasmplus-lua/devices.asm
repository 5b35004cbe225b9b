; Pages and slots.
        lua allpass
            sj.set_device("ZXSPECTRUM128", 0x7fff)
            assert(sj.get_device() == "ZXSPECTRUM128")
            assert(sj.set_slot(3))
            assert(sj.set_page(4))
            assert(sj.get_page_at(0xc000) == 4)
            assert(sj.get_page_at(0x4000) == 5)
        endlua
        org $c000
        db $$
        lua allpass
            _pc("db " .. sj.get_page_at() .. "," .. sj.get_page_at(0x8000))
        endlua

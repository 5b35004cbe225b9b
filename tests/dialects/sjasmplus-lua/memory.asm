; What is in the memory of the device, as scripts see it.
    device zxspectrum48
    org $8000
start: db 1, 2, 3
    dw later
    lua allpass
        sj.add_byte(sj.get_byte(0x8000))
        sj.add_word(sj.get_word(0x8001))
        sj.add_word(sj.get_word(0x8003))
        sj.add_byte(sj.get_byte(0x9000))
        sj.add_word(sj.get_label("later") - sj.get_label("start"))
        sj.add_word(sj.get_label("@later"))
    endlua
later:
    module inner
start: db 7
    lua allpass
        sj.add_word(sj.get_label("start"))
        sj.add_word(sj.get_label("@start"))
        sj.add_word(sj.get_label("inner.start"))
        sj.add_byte(sj.get_word(sj.current_address - 2) & 255)
    endlua
    endmodule

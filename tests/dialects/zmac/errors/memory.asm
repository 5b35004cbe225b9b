 ld b,(de)

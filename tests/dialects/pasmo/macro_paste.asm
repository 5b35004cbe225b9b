mk      macro name, value
name##_data: db value
lb##name: dw name##_data
        endm
        mk foo, 1
        mk bar, 2
        dw foo_data, bar_data, lbfoo, lbbar

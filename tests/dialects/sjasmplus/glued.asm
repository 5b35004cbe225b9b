; a lone `_` beside what is replaced joins both sides
        define one 1
        define two 2,
        define _ 9
        db two _ one
        db one, _ , one
        define word ab
word _ word nop
        dw abab
        db two _ 5

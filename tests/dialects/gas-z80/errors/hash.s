	nop # comment

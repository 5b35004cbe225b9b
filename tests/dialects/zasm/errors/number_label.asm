 org 0
foo: nop
1$: nop
bar: jr 1$

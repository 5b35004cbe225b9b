        org #8000
top     nop
        module m
top     nop
.in     nop
inner   dw top,inner,@top,.in2
.in2    nop
        module n
deep    dw top,deep
@all    dw all
        endmodule
        dw n.deep,deep2
deep2   nop
        endmodule
        dw top,m.top,m.top.in,m.n.deep,all,m.inner.in2
        module other
        dw top,m.top
        endmod

; `&b1` is a number of base 16, `&x1` one of base 2.
 org 0
 dw &b0,&b101,&B1,&bc0,&b
 dw &x101,&o17,&h10
 db &b1+1

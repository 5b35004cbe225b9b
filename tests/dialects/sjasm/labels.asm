; Labels of calls and rounds, of modules, numbers as labels, maps in maps.
 module main
hoi
  macro test
kip0
.kip1
@.kip2
 dw .kip1
  endmacro
  test
 dw kip0, kip0.kip2
 endmodule
  macro tst
.hop
 nop
  repeat 2
  call .hop
  jp .@hop
.hop
  endrepeat
  endmacro
  tst
 map 100h
label1 #
 map 200h
label2 #
  endmap
label3 #
 mapalign 4
label4 # 2
 dw label3,label4
 module a
q dw q
 module b
q dw q, a.q
 endmodule
 dw q
 endmodule a
1 nop
 jr 1b
 jr 1f
1 nop
s1: ds 3
 ifexists "map.asm"
 db 1
 endif
 dt 123456h

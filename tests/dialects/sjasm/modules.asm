; Modules are in no other.
 module main
label1
.x dw label1
 module vdp
label2
.y dw label2, .y
 module sound
label3 dw vdp.label2
.z dw .z
 endmodule vdp
label4 dw main.label4, vdp.label2, sound.label3, main.label1.x
 endmodule
label1 dw label1
.l dw .l
 module q

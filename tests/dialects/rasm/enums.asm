 enum col
red
green
blue
 mend
 db col_red,col_green,col_blue
 enum val,10,5
a
b
 mend
 db val_a,val_b

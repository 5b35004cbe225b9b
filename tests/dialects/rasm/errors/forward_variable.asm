x=y
y=1
 db x

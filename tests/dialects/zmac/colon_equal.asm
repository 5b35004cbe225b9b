; := is a colon and an equals sign
x := 5
  db x
x: := 6
  db x
y := $
  dw y
x:=x+1\ db 3
  db x

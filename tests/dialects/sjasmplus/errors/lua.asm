 nop
 lua allpass
 for i = 0, 2 do
  x = "a" .. i
 end
 endlua
 nop

gcl0x
[def
  push
  [if>0 1 else 2]
  [if<0 3 else 4 else 5]
  [do X 1+ X= [if=0 loop] [do if>0loop] if<0loop]
  pop ret
] Inner=
[do
  [if<>0 [if>=0 [if<=0 7] 8] 9]
  do if=0loop if<>0loop if>=0loop if<=0loop
  [][[]]
  [def #1 #2 #3] Table=
  [if=0 if>0 if<0 1 else]
  loop]

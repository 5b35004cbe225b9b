; Text macros with and without parameters, macros with defaults, numbers and many arguments.
 define twice once+once
 define once 1
 byte twice
 define once 2
 byte once
 xdefine fixed twice+1
 define once 5
 byte fixed
 define pair(p1,p2) byte p1\ word p2
 pair(20h,4321h)
 idefine square(p) byte p*p\ word 0
 Square(3)
 square({2+1})
 define word1 77
 byte word1,0,word1
 byte "word1", 'word1'
 byte @"word1 once"
 undef word1
word1: dw word1
 macro greedy n:32, s+:"none",0
 byte n, s
 endmacro
 greedy 3,"a",1,"b"
 greedy
 greedy 4
 macro many 1..*
 byte @0
 repeat @0
 byte @1
 rotate 1
 endrepeat
 endmacro
 many 7,8,9
 macro load
 xor a
 endmacro
 macro load r
 ld a,r
 endmacro
 macro load r,s
 load r
 ld b,s
 endmacro
 load
 load 1
 load 2,3
 macro.recursive down n
 if n
 byte n
 down n-1
 endif
 endmacro
 down 3
 imacro any a
 db a
 endmacro
 ANY 1
 Any 2
 macro braces p: { "none",0 }
 byte p
 endmacro
 braces { "x,y",0,0 }
 braces
 l >< d a,3
 byte @'up >< down'

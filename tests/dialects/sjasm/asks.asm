; Conditionals that ask of texts, opposite conditions, loops.
 phase $8000
x: dw x
 dephase
 dw $
 ifdif a,b
 db 1
 endif
 ifidn a,a
 db 2
 else
 db 9
 endif
 ifb
 db 3
 endif
 ifnb a
 db 4
 elseifb
 db 5
 endif
 ifin a,b,c,a
 db 6
 endif
 ifnum 12
 db 7
 endif
 ifstr "a"
 db 8
 endif
 ifid hello
 db 9
 endif
 call !c,5
 add 3
 jp s,4
 jp ns,5
 ld a,[hl]
 jr !nc,$
counter:=3
 while counter
 byte counter,@#
counter:=counter-1
 endwhile
l:=0
l:=0
 repeat 5
 if @#<3
 db 0
 endif
 byte @#
 endrepeat

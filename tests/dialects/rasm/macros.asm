 macro two a1,b1
 db {a1},{b1}
 ld a,{a1}
 mend
 two 1,2
 macro three x,y,z
 ld {x},{y} : ld hl,{z}
 endm
 three b,c,#1234
 THREE d,(hl),5
 macro none
 nop
 mend
 none : none (void)
 macro nest p
 two {p},{p}+1
 none
 mend
 nest 6
 macro lab name
{name}: jr {name}
{name}_end nop
 mend
 lab foo : lab bar
 jp foo_end
 macro cond n
 if {n}>2
 db 2
 else
 db 1
 endif
 mend
 cond 1 : cond 3
 macro text t
 db {t},0
 mend
 text "a b" : text 'x,y'
 macro many ...
 db {#},{0},{1|=7}
 mend
 many 5,6 : many 4
 macro sum t
 db {t}
 mend
 sum 1 + 2
 macro inner ...
 two {0},{1}
 mend
 inner 7,8

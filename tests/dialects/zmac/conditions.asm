 org 0
a1 equ 5
 if a1
 db 1
 else
 db 2
 endif
 ifdef a1
 db 3
 endif
 ifndef nope
 db 4
 endif
 ifdef nope
 if 1
 db 99
 endif
 db 98
 else
 db 5
 endif
 cond a1 eq 5
 db 6
 endc
 ife a1-5
 db 7
 endif
 iff 1
 db 8
 endif
 ifeq a1,5
 db 9
 endif
 ifne a1,5
 db 10
 endif
 iflt a1,6
 db 11
 endif
 ifgt a1,6
 db 12
 endif
 if a1 gt 3 and a1 lt 9
 db 13
 endif
if a1
 db 14
endif
 a2 equ 5
 a2 equ 5
bb equ bc
cc1 equ a
 push bb
 ld cc1,5
 comment *
 this is 'a comment
 *
 db 15
 .comment x
foo
x
 name ('foo')
 title hello 'x
 public a1
 extern zz
 aseg
 cseg
 assert a1 == 5
 end 5
 garbage here

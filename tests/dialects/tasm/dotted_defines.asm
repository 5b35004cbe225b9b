; A dot belongs to a name, so a word behind one is no macro.
#define org .org
#define ORG .org
#define db .db
#define DB .db
#define equ .equ
#define x 5
 ORG 100h
y.x equ 3
 db x, y.x
 .DB 1
 DB 2
 .org 108h
 .dw $
 .end

; Names that are halves of index registers elsewhere are names.
hx .equ 33
xl .equ 34
 .org 0
 ld e,hx
 ld a,xl+1
 ld hl,hx

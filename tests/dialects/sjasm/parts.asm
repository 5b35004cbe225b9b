; Pages with addresses and sizes; parts with an address, a range, an alignment, in one block
; of 256 bytes, in the first of several pages that has room, left out where nothing uses them.
 defpage 0,4000h,1000h
 defpage 1,8000h
 defpage 3..5,8000h,800h
 page 0
 code @ 4000h
 db "AB"
 dw start,::1
 db :far,:third,#
 code
start ld hl,text
 ld a,:far
 ld b,:start
 jr other
 code
other ret z
 djnz other
 code
text dz "none"
 code @ 4800h..4f00h, # 64
alone db 1,2,3
 code ##
block1 ds 200,7
 code ##
block2 ds 100,8
 code page 3..5
first ds 500h,1
 code page 3..5
second ds 500h,2
 code page 3..5
far ds 280h,3
 code page 3..5
third ds 281h,4
 code ?
nobody db 9,9,9,9,9
 code ?
somebody db 7,7
 dw nobody
 code
 dw somebody,first,second,far,block1,block2,alone
 page 1
 db 5,#

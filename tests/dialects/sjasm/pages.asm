; Pages behind each other, parts over others, parts that go on in the next page.
 defpage 0,100h,*
 defpage 1,*,*
 defpage 2,*,20h
 defpage 3,*,*
 page 2
 db 2
q: dw q
 page 0
 ds 5,1
 dw s
 page 1
 ds 9,2
r: dw r
 page 3
s: dw s
 code @ 150h
 db 4
 code pages 2..3
 ds 30h,6

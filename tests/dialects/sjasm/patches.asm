; A part over others, at an address that is known below; parts behind each other by address.
 defpage 0,4000h,200h
 macro patch at,value
back := $
 code ! at
 dw value
 code @ back
 endmacro
 page 0
 code @ 4000h
 ds 16,1
 patch 4002h,entry
 ds 16,2
 patch 4012h,$
entry nop
 code ! 4200h-(stop-go)
go jp entry
stop

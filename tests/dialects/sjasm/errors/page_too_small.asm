 defpage 0,4000h,10h
 page 0
 ds 11h

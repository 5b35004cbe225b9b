; counts that ask for the struct itself; $ in an instance is where the part is
        org #8000
        struct pad
head    db 1
rest    ds 10-pad.rest,2
tail    dw pad.tail+pad.head
        ends
        dw pad,pad.tail
        pad
        struct item
place   dw
low_    db
more    dw
        ds 3
fixed   dw 7
        ends
        struct two
first   dw
in_     item
last    dw
        ends
        item {
          $
          ($-#8000)&#ff
          $ }
        item $,1,$
        two { $ { $
          1
          $
          }
          $ }
        two { $, { $ }, $ }

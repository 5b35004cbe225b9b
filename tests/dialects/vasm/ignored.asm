 list
 nolist
 page
 nam "title"
 subttl "more"
 xdef aa,bb
 global aa
 local bb
 section code
aa: db 1
bb: assert bb>aa
 assert 1==1,"good"
 defc cc=5
 db cc
 end
 db 99

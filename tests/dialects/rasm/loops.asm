 repeat 3 : db 1 : rend
 repeat 3,n : db n : rend
 repeat 3,m,5 : db m : rend
 repeat 3,k,10,2 : db k : rend
 db n,m,k
 repeat 0 : db 99 : rend
a1=3
 repeat : db a1 : a1=a1-1 : until a1==0
b1=0
 while b1<3 : db b1 : b1=b1+1 : wend
c1=4
 while c1,w : db w : c1-=1 : wend
 repeat 2,i : repeat 2,j : dw i*256+j : rend : rend
 startingindex 0 : repeat 3,q : db q : rend
 startingindex 1,2 : repeat 3,q : db q : rend
 startingindex
 repeat 3,x
lab{x} db x
 rend
 dw lab1,lab2,lab3
 repeat 2,y
tab_{y}_{y*2}: db 7
 rend
 dw tab_1_2,tab_2_4

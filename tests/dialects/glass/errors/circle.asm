x: equ y
y: equ x
 db x

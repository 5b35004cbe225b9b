; Words count in small and in capital letters, in column 1 too; mixed ones are names.
db 1
DB 2
Display db 3
Display2: dw Display
Org dw Org
org 5
 dw $

%if A
 LDI 1

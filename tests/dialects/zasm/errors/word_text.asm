 org 0
 dw "ab"

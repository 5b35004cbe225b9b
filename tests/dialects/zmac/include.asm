 org 0
 include part.inc
 include "part.inc"
 read part.inc
 maclib part
 import part.inc
 import part.inc
 incbin part.inc

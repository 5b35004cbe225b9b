; A shift by all bits or more leaves the sign alone.
 org 4000h
 dw 1<<33, 1<<32, 8>>32, 8>>33, (1<<31)>>31, 1<<15
 dw -8>>1

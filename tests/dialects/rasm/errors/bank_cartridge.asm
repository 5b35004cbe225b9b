 buildcpr
 bank 32

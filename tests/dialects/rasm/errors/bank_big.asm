 buildcpr
 bank 0
 ds #4001,1

 buildcpr
 bankset 0

 org #f0
 confine 300

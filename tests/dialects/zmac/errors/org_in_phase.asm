 phase 5
 org 6

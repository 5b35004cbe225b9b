 phase 5
 phase 6

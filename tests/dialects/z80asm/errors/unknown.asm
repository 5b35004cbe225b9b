	phase 5

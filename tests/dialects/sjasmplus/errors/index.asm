 defarray a 1,2
 db a[2]

 defpage 0
 page 1

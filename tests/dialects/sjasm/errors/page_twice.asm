 defpage 0
 defpage 0

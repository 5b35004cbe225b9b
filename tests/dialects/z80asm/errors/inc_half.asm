	inc ixl

	im 3

 im 3

        im 3

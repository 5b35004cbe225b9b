 device zx80

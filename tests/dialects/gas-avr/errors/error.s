	.error "as asked"

	.error "stop"

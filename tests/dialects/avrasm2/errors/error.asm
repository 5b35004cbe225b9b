.error "so"

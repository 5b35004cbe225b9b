 ex ix,(sp)

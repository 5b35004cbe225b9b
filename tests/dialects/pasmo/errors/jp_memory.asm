        jp (5)

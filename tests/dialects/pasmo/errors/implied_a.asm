        add b

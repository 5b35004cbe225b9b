        ex af,af

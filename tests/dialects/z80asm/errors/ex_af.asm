	ex af,af

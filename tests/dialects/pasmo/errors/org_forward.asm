        org later
later:  nop

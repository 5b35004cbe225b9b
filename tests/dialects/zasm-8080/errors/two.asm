        org 0
        add a,b

        org 0
        set 1,a

        org 0
        push af

        org 0
        ret z

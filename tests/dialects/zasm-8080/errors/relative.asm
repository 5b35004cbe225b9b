        org 0
        jr $

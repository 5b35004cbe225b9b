        org 0
        adi 256

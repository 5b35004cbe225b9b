        org 0
        stax h

 db 12AH2

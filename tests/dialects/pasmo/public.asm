        public lab, lab2
lab:    db 1
lab2    equ 5

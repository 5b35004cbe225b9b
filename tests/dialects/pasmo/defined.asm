        if defined later
        db 1
        endif
later:  db defined later, defined never
        if defined later
        db 2
        endif

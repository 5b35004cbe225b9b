        end later
later:  nop

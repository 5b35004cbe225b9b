	ex hl,(sp)

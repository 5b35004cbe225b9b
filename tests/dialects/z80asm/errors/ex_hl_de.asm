	ex hl,de

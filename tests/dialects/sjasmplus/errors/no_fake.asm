 cp hl,de

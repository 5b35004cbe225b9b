 db "\x4"

; `\` in lists stands before a character that counts as it is; in values it means what it means elsewhere.
 db '\t\n\r\b\v\f\a\e\0\x41\\'
 db 1,"\t",2
 ld a,'\t'
 dw '\n'
 str "\a\e\t\x41"
 struct pair
name db "\t\a"
 endstruct
 struct pair v
 struct pair w,1,"\t\a"
 charset 't','T'
 db 't\t'

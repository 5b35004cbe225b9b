; What `\` means depends on where a text stands.
 db '\t\n\r\b\v\f\a\e\0\x41\\'
 db 1,"\t",2
 ld a,'\t'
 dw '\n'
 str "\a\e\t\x41"
 str "\a"
 str "\\"
 struct pair
name db "\t\a"
 endstruct
 struct pair v
 struct pair w,1,"\t\a"
 charset 't','T'
 charset '\\','/'
 db 't\t\\'
 str 't\\'

; Texts between signs that nothing closes: the character behind the sign counts.
 defm Jace
 db 1
 fcc /abc
 db 2
 defm "ab
 db 3
 text WELCOME@TO@MINE
 db 4
 fcs /ab
 db 5
 defm ab ; a remark is text, too: ca d
 db 6
 defm /a//b/ ; the sign twice is one
 db 7
 defm //
 fcs //
 db 8
 fcs xax
 defm a
 db 9
t macro
 defm \1
 endm
 t /xy
 t /xy/
 t zxyz

; a word with a dot is a name, also that of a directive
a       nop
.if     inc a
.continue
        jp z,.if
.macro  dec a
.org:   jp .macro
.db     jp .continue
        jp .org
b       jp a.db
.endif
        jp .endif

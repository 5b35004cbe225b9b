%MACRO M _a
 LDI _a
%ENDM
 M

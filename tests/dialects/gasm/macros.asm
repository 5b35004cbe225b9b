%define FAST
%MACRO Wait _n
loop SUBI _n
 BNE loop
%ENDM
%MACRO Store _what _where
 LDI _what
 ST _where+1
%ENDM
%if FAST
 LDI 1
%else
 LDI 2
%endif
%if SLOW
 LDI 3
%else
 LDI 4
%endif
 Wait 1
 Wait 2
here Store 5 0x30
 BRA here

gcl0x {names of the ROM, and opcodes of its 6502}
\SYS_Random_34 _sysFn= 34!!
\frameCount, \buttonState, \screenMemory Where= \qqVgaWidth \maxTicks
\buttonA& \vAC; \LDWI \LDWI# \HALT \BCC# \EQ# \NE# \CALLI_v5
#\LDAIM_ #65 #\STA_ ##\userVars #\BNE_ #@_Back _Back=* #\RTS_ #\JMI_
\SYS_Sprite6xy_v3_64 \SYS_ReceiveSerial1_v6_32 \font82up
\vAC- \vAC-5
_Where=5 \Where \Where+ \Where-

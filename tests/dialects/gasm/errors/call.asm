_callTable_ EQU 0x7E
 CALL nowhere

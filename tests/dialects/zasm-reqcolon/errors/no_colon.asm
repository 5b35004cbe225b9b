 org 0
lab nop

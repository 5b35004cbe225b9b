 phase 8000h
 code
 dephase

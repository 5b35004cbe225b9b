; A byte has no value below -256.
 org 8000h
 db -257

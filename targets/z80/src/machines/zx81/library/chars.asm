; Characters and tokens of the ZX81 that no text can name
; ========================================================
;
;         include <zx81/chars.asm>
;
; Constants only. In `charmap "zx81"` a text has capitals, digits, punctuation and the
; block graphics; small letters stand for inverse capitals.

CH_SPACE   equ $00
CH_GREY    equ $08
CH_QUOTE   equ $0B
CH_POUND   equ $0C
CH_0       equ $1C
CH_A       equ $26
CH_NEWLINE equ $76
CH_NUMBER  equ $7E              ; five hidden bytes follow
CH_INVERSE equ $80              ; bit of inverse video
CH_BLACK   equ $80
KEY_UP     equ $70              ; what DECODE finds for shifted 7, 6, 5, 8
KEY_DOWN   equ $71
KEY_LEFT   equ $72
KEY_RIGHT  equ $73
KEY_RUBOUT equ $77

TK_VAL     equ $C5
TK_USR     equ $D4
TK_SLOW    equ $E4
TK_FAST    equ $E5
TK_REM     equ $EA
TK_GOTO    equ $EC
TK_RAND    equ $F9

; Glyphs, sprites, tones
; ======================
;
; Included in the section of tables, behind the vector. Bytes of pictures are columns,
; the lowest bit on top.
;
; Glyphs are three columns. They overlap where one ends as another begins: what a label
; names is the three bytes from there. The digits stand in order, three bytes each.

S:      db $46,$49,$31
Y:      db $07,$78,$07
W:      db $7f,$30
F:      db $7f,$09
QUERY:  db $01,$59,$06
R:      db $7f,$09,$76
L:      db $7f,$40,$40
U:      db $7f,$40
H:      db $7f,$08
M:      db $7f,$06
B:      db $7f,$49,$36
T:      db $01
N:      db $7f,$01
A:      db $7e,$09,$7e
E:      db $7f,$49
I:      db $41
digits: db $7f,$41,$7f,$42,$7f,$40,$71,$49,$46,$41,$49,$36
        db $0f,$08,$7f,$4f,$49,$31,$3e,$49,$31,$01,$79,$07
        db $36,$49,$36,$46,$49
O:      db $3e,$41
G:      db $3e,$41,$79
D:      db $7f,$41
C:      db $3e,$41,$41
K:      db $7f,$08,$77
P:      db $7f,$09,$06
BLANK:
sprites: db 0,0,0,0,0,0         ; nothing
        db $40,$6c,$7e,$7e,$6c,$40 ; pawn
        db $58,$7a,$7f,$7f,$7a,$58 ; king
        db $4c,$6e,$77,$7e,$7e,$7c ; knight
        db $4c,$5e,$7f,$7f,$5a,$4c ; bishop
        db $47,$7e,$7f,$7f,$7e,$47 ; rook
        db $4f,$7c,$7f,$7f,$7c,$4f ; queen
LAST    equ $80                 ; ends a text
        assert BLANK < LAST, "glyphs are named by seven bits"

; Periods of the twelve tones from C, in eighths of the clock.
tones:  dw 15288,14430,13620,12856,12134,11453,10810,10204,9631,9090,8580,8098

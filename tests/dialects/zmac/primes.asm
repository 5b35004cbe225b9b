 org 0
 ld a,(hl')
 rra'
 ex af,af'
 push af'
 djnz' $
 ld d',e'
 db 'x','''',"""",'it''s'
 ld a,'"'

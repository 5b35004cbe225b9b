; The byte of an instruction that tells it from others; characters of the ZX80.
#target rom
#code X,0
 db opcode(halt), opcode(ld a,N), opcode(ld a,n)
 db opcode(bit 7,(hl)), opcode(ldir), opcode(ld ix,nn), opcode(jp nn)
 db opcode(rst 56), opcode(nop)+2, opcode(ld a,(nn)), opcode(in b,(c))
 db opcode(add hl,de), opcode(in a,(n))
 db opcode(ld (ix+dis),n), opcode(rlc (ix+dis)), opcode(set 3,(ix+dis))
 db opcode(jr nz,dis), opcode(djnz dis), opcode(out (n),a), opcode(im 1)
 db opcode(cp n), opcode(ld (nn),bc), opcode(ex af,af')
 ds 3, opcode(halt)
#charset zx80
 db "AZaz 09", '"', "£$:?()-+*/=><;,."
#charset zx81
 db "AZaz 09", '"', "£$:?()-+*/=><;,."
#charset none
 db "AZ"

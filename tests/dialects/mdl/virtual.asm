; room that is not in the output
        org #4000
start:  ld hl,table
        ld (count),hl
        ds 2
        ret
table:  dw end - start, count, last
end:
        org #c000
count:  ds virtual 2
        ds virtual 3
last:   ds virtual 1

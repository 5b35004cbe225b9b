; A name may have dollars; a number begins with one.
start$              LDI     1
                    LDWI    start$
a$b                 LDI     $12
                    LDWI    a$b
                    LDWI    a$b + $10

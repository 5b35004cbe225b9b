        call yes
        ifused yes
yes     ld a,1
        ret
        endif
        ifused no
no      ld a,2
        ret
        endif
        ifnused no
        db #55
        endif
deep1
        ifused
        call deep2
        endif
        ifused deep2
deep2   nop
        endif
        dw deep1

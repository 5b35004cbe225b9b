        endif

        endp

; the prefix makes both operands halves of the index register
        ld h,ixl
        ld l,iyh
        ld ixh,h
        ld iyl,l

; `'''` is a quote.
 org 0
 db ''',1,'b'
 db "F",'''+80h,1
 ld a,'''

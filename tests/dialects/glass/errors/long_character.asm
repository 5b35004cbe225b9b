 db 'ab'

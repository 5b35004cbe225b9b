 db 'abc'+1

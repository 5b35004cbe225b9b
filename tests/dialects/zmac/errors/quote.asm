 db 'abc

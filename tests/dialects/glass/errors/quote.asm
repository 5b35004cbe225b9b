 db "abc

; Comments of several lines are in each other; what is in them is not looked at.
 db 1 /* a /* b */ c */
 db 2
/*
 /*---- part ----*/
 db 3
*/
 db 5 /* ; */ : db 6
/* "*/ db 7
/* // /* */
 db 8
*/
 db 9
 /* /*/ db 6 */ */ db 10

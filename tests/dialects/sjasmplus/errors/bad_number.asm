 db 08h,12k

; the directive does what the switch does
five    equ 5
        .8080
        org 0
Lab     mvi a,FIVE
        jp LAB
        cpi 7

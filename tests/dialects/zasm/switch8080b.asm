#! zasm --asm8080
        org 0
Lab     mvi a,5
        jp LAB
